#include "core/log/log.h"

#include <nlohmann/json.hpp>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class LogTest : public testing::Test {
 protected:
  void TearDown() override {
    SetLogLevel(LogLevel::kInfo);
    SetLogFormat(LogFormat::kText);
  }
};

TEST_F(LogTest, WritesTimeLevelAndTextToStderr) {
  testing::internal::CaptureStderr();
  LogWarning("worker ", "left", " is lost after ", 10, " s");

  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              MatchesRegex("20..-..-..T..:..:..\\....Z warning worker left is "
                           "lost after 10 s\n"));
}

TEST_F(LogTest, LeavesOutWhatIsBelowTheLevel) {
  testing::internal::CaptureStderr();
  LogDebug("not seen");
  SetLogLevel(LogLevel::kError);
  LogWarning("not seen");
  SetLogLevel(LogLevel::kDebug);
  LogDebug("seen");

  const std::string written = testing::internal::GetCapturedStderr();
  EXPECT_THAT(written, HasSubstr("debug seen"));
  EXPECT_THAT(written, testing::Not(HasSubstr("not seen")));
}

TEST_F(LogTest, WritesOneJsonObjectPerLineWhateverTheText) {
  SetLogFormat(LogFormat::kJson);

  testing::internal::CaptureStderr();
  LogInfo("a \"quoted\"\nline and a broken \xff byte");
  const auto line =
      nlohmann::json::parse(testing::internal::GetCapturedStderr());

  EXPECT_EQ(line["level"], "info");
  EXPECT_THAT(line["text"].get<std::string>(), HasSubstr("a \"quoted\"\nline"));
}

TEST_F(LogTest, RefusesUnknownNamesWithTheKnownOnes) {
  EXPECT_THAT(LogLevelFromName("warning"), IsOkAndHolds(LogLevel::kWarning));
  EXPECT_THAT(LogLevelFromName("loud"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("use debug, info, warning or error")));
  EXPECT_THAT(LogFormatFromName("json"), IsOkAndHolds(LogFormat::kJson));
  EXPECT_THAT(LogFormatFromName("xml"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace stagecoach
