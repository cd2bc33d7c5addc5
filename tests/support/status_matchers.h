#pragma once

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"

// Matchers on absl::Status and absl::StatusOr<T>, which the packaged Abseil
// lacks. All print the status of a mismatch.
//
//   EXPECT_THAT(queue.Push(item), IsOk());
//   EXPECT_THAT(ParseAmount("5%"), IsOkAndHolds(Percent(5)));
//   EXPECT_THAT(Parse(text), StatusIs(absl::StatusCode::kInvalidArgument,
//                                     HasSubstr("line 3")));
//   SC_ASSERT_OK_AND_ASSIGN(const JobSpec spec, ParseJob(text));
namespace stagecoach {
namespace internal_status_matchers {

inline const absl::Status& StatusOf(const absl::Status& status) {
  return status;
}

template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

// Matches the value inside a StatusOr that is OK.
template <typename InnerMatcher>
class IsOkAndHoldsMatcher {
 public:
  explicit IsOkAndHoldsMatcher(InnerMatcher inner) : inner_(std::move(inner)) {}

  template <typename Result>
  operator testing::Matcher<Result>() const {  // NOLINT: matchers convert
    return testing::Matcher<Result>(new Typed<Result>(inner_));
  }

 private:
  template <typename Result>
  class Typed : public testing::MatcherInterface<Result> {
   public:
    using Value = typename std::remove_reference_t<Result>::value_type;

    explicit Typed(const InnerMatcher& inner)
        : inner_(testing::SafeMatcherCast<const Value&>(inner)) {}

    bool MatchAndExplain(
        Result result, testing::MatchResultListener* listener) const override {
      if (!result.ok()) {
        *listener << "which is " << result.status();
        return false;
      }
      return inner_.MatchAndExplain(*result, listener);
    }

    void DescribeTo(std::ostream* os) const override {
      *os << "is OK and holds a value that ";
      inner_.DescribeTo(os);
    }

    void DescribeNegationTo(std::ostream* os) const override {
      *os << "is not OK or holds a value that ";
      inner_.DescribeNegationTo(os);
    }

   private:
    const testing::Matcher<const Value&> inner_;
  };

  InnerMatcher inner_;
};

}  // namespace internal_status_matchers

// Matches a Status or StatusOr that is OK.
MATCHER(IsOk, negation ? "is not OK" : "is OK") {
  *result_listener << "which is " << internal_status_matchers::StatusOf(arg);
  return internal_status_matchers::StatusOf(arg).ok();
}

// Matches a StatusOr that is OK and whose value matches `inner`, a matcher or
// a value.
template <typename InnerMatcher>
auto IsOkAndHolds(InnerMatcher&& inner) {
  return internal_status_matchers::IsOkAndHoldsMatcher<
      std::decay_t<InnerMatcher>>(std::forward<InnerMatcher>(inner));
}

// Matches a Status or StatusOr whose code and message match.
MATCHER_P2(StatusIs, code, message,
           std::string(negation ? "is not " : "is ") +
               absl::StatusCodeToString(code) + " with a message that " +
               testing::DescribeMatcher<std::string>(message)) {
  const absl::Status& status = internal_status_matchers::StatusOf(arg);
  *result_listener << "which is " << status;
  return status.code() == code &&
         testing::Value(std::string(status.message()),
                        testing::SafeMatcherCast<const std::string&>(message));
}

// Matches a Status or StatusOr of this code, whatever its message.
MATCHER_P(StatusIs, code,
          std::string(negation ? "is not " : "is ") +
              absl::StatusCodeToString(code)) {
  *result_listener << "which is " << internal_status_matchers::StatusOf(arg);
  return internal_status_matchers::StatusOf(arg).code() == code;
}

}  // namespace stagecoach

#define SC_STATUS_CONCAT_INNER(a, b) a##b
#define SC_STATUS_CONCAT(a, b) SC_STATUS_CONCAT_INNER(a, b)

// Ends the test unless `expression`, a StatusOr, is OK; else declares or
// assigns `target` with its value.
#define SC_ASSERT_OK_AND_ASSIGN(target, expression)                          \
  SC_ASSERT_OK_AND_ASSIGN_INNER(SC_STATUS_CONCAT(result_, __LINE__), target, \
                                expression)
#define SC_ASSERT_OK_AND_ASSIGN_INNER(result, target, expression) \
  auto result = (expression);                                     \
  ASSERT_THAT(result, ::stagecoach::IsOk());                      \
  target = *std::move(result)
