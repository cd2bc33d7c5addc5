#include "core/method/dsp.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/base/field_error.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

using Numbers = std::vector<int64_t>;

// A bound on what a stage keeps: it stores one input more than its staleness.
constexpr double kMostStaleness = 4096;

std::string List(const Numbers& numbers) {
  return absl::StrCat("[", absl::StrJoin(numbers, ", "), "]");
}

// Every link with p = q = slack.
Numbers StalenessOf(int64_t slack, size_t num_stages) {
  Numbers staleness(num_stages);
  for (size_t k = 0; k < num_stages; ++k) {
    staleness[k] = 2 * slack * static_cast<int64_t>(num_stages - 1 - k);
  }
  return staleness;
}

// The nearest list that is allowed: last stage 0, none smaller than a later
// one.
Numbers Repaired(Numbers staleness) {
  staleness.back() = 0;
  for (size_t k = staleness.size() - 1; k > 0; --k) {
    staleness[k - 1] = std::max(staleness[k - 1], staleness[k]);
  }
  return staleness;
}

absl::Status CheckStaleness(const Numbers& staleness, size_t num_stages) {
  if (staleness.size() != num_stages) {
    return FieldError(
        "staleness",
        absl::StrCat("has ", staleness.size(), " values for ", num_stages,
                     " stages; one for each stage, e.g. ",
                     List(StalenessOf(/*slack=*/1, num_stages))));
  }
  const std::string working =
      absl::StrCat("; e.g. ", List(Repaired(staleness)));
  for (size_t k = 1; k < num_stages; ++k) {
    if (staleness[k] <= staleness[k - 1]) continue;
    return FieldError(
        absl::StrCat("staleness[", k, "]"),
        absl::StrCat("staleness must not rise along the pipeline: stage ", k,
                     " has ", staleness[k], ", stage ", k - 1, " has ",
                     staleness[k - 1], working));
  }
  if (staleness.back() != 0) {
    return FieldError(
        absl::StrCat("staleness[", num_stages - 1, "]"),
        absl::StrCat("the last stage must have staleness 0, not ",
                     staleness.back(), ": it waits for no gradient", working));
  }
  return absl::OkStatus();
}

// p_k and what it leaves for q_{k+1} on each link.
absl::Status CheckQueues(const Numbers& queues, const Numbers& staleness) {
  if (queues.size() != staleness.size()) {
    return FieldError(
        "activation_queues",
        absl::StrCat("has ", queues.size(), " values for ", staleness.size(),
                     " stages; one for each stage, the last 0"));
  }
  for (size_t k = 0; k + 1 < queues.size(); ++k) {
    const int64_t room = staleness[k] - staleness[k + 1];
    if (queues[k] <= room) continue;
    return FieldError(
        absl::StrCat("activation_queues[", k, "]"),
        absl::StrCat("the link between stages ", k, " and ", k + 1,
                     " has room for ", staleness[k], " - ", staleness[k + 1],
                     " = ", room, " in both queues, not for ", queues[k],
                     "; at most ", room));
  }
  if (queues.back() != 0) {
    return FieldError(
        absl::StrCat("activation_queues[", queues.size() - 1, "]"),
        absl::StrCat("the last stage must have 0, not ", queues.back(),
                     ": no stage follows it"));
  }
  return absl::OkStatus();
}

class Dsp final : public Method {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<std::vector<StageMethod>> Stages(
      const Value& parameters, int num_stages) const override {
    const auto count = static_cast<size_t>(num_stages);
    Numbers staleness;
    if (Has(parameters, "staleness")) {
      staleness = IntegersOf(parameters, "staleness");
      SC_RETURN_IF_ERROR(CheckStaleness(staleness, count));
    } else {
      staleness = StalenessOf(IntegerOf(parameters, "slack"), count);
    }
    if (Has(parameters, "activation_queues")) {
      SC_RETURN_IF_ERROR(
          CheckQueues(IntegersOf(parameters, "activation_queues"), staleness));
    }
    std::vector<StageMethod> stages;
    for (const int64_t m : staleness) {
      // Without staleness both passes would read the same version: one pass
      // with a graph gives the same bits.
      stages.push_back({.window = m, .recompute = m > 0});
    }
    return stages;
  }

  bool synchronous() const override { return false; }

 private:
  const Declaration declaration_ = {
      .name = "dsp",
      .help = "Diversely Stale Parameters: every stage works all the time",
      .parameters = {
          {.name = "slack",
           .kind = ParameterKind::kInteger,
           .default_value = 1,
           .minimum = 0,
           .maximum = 32,
           .excludes = "staleness",
           .help = "Length of every queue between two stages"},
          {.name = "staleness",
           .kind = ParameterKind::kIntegers,
           .example = {2, 0},
           .minimum = 0,
           .maximum = kMostStaleness,
           .help = "Staleness of each stage, not rising, the last 0"},
          {.name = "activation_queues",
           .kind = ParameterKind::kIntegers,
           .example = {1, 0},
           .minimum = 0,
           .maximum = kMostStaleness,
           .needs = "staleness",
           .help = "Each stage's queue of activations towards the next one, "
                   "the last 0; the rest of the staleness queues gradients"},
      }};
};

}  // namespace

const Method& DspMethod() {
  static const Dsp& method = *new Dsp;
  return method;
}

}  // namespace stagecoach
