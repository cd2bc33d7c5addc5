#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"
#include "core/base/status_macros.h"
#include "core/base/suggest.h"
#include "core/data/augmentation.h"
#include "core/job/amount.h"
#include "core/model/zoo.h"
#include "core/optimizer/optimizer.h"
#include "core/resolve/choice.h"
#include "core/resolve/resolved_job.h"

namespace stagecoach {
namespace {

constexpr size_t kLongestName = 63;
constexpr size_t kMostAugmentations = 64;

absl::Status CheckName(const std::string& name) {
  if (name.empty()) {
    return FieldError("name", "is missing; e.g. name: fashion-dsp");
  }
  if (name.size() > kLongestName) {
    return FieldError("name",
                      absl::StrCat("has ", name.size(), " characters; at most ",
                                   kLongestName));
  }
  for (const char c : name) {
    if (absl::ascii_islower(static_cast<unsigned char>(c)) ||
        absl::ascii_isdigit(static_cast<unsigned char>(c)) ||
        absl::StrContains("-_. ", absl::string_view(&c, 1))) {
      continue;
    }
    return FieldError("name",
                      absl::StrCat("'", absl::Utf8SafeCHexEscape(name),
                                   "' must be lower-case letters, digits, '-', "
                                   "'_', '.' and spaces; e.g. fashion-dsp"));
  }
  return absl::OkStatus();
}

struct Bounds {
  int64_t least;
  int64_t most;
};

absl::Status CheckInteger(absl::string_view path, int64_t number,
                          const Bounds& bounds, absl::string_view example) {
  if (number >= bounds.least && number <= bounds.most) return absl::OkStatus();
  return FieldError(path,
                    absl::StrCat("must be ", bounds.least, " to ", bounds.most,
                                 ", not ", number, "; e.g. ", example));
}

absl::Status CheckOneOf(absl::string_view path, const std::string& text,
                        const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), text) != known.end()) {
    return absl::OkStatus();
  }
  return FieldError(
      path, absl::StrCat("'", absl::Utf8SafeCHexEscape(text), "' is not known",
                         Suggestion(text, known)));
}

absl::Status ResolveData(JobSpec::Data* data) {
  SC_RETURN_IF_ERROR(ResolveChoice(
      DataSources(), {.path = "data", .noun = "data source"}, &data->source));
  SC_RETURN_IF_ERROR(CheckInteger("data.batch_size", data->batch_size,
                                  {.least = 1, .most = 16777216}, "128"));
  if (data->augment.size() > kMostAugmentations) {
    return FieldError("data.augment", absl::StrCat("has ", data->augment.size(),
                                                   " augmentations; at most ",
                                                   kMostAugmentations));
  }
  for (size_t i = 0; i < data->augment.size(); ++i) {
    const std::string path = absl::StrCat("data.augment[", i, "]");
    SC_RETURN_IF_ERROR(ResolveChoice(Augmentations(),
                                     {.path = path, .noun = "augmentation"},
                                     &data->augment[i]));
  }
  return absl::OkStatus();
}

absl::Status ResolveMethod(JobSpec* spec) {
  SC_RETURN_IF_ERROR(ResolveChoice(
      Methods(), {.path = "method", .noun = "method"}, &spec->method));
  SC_RETURN_IF_ERROR(
      CheckInteger("stages", spec->stages, {.least = 1, .most = 64}, "2"));
  const Method& method = **Methods().Find(spec->method.name);
  return UnderField(
      absl::StrCat("method.", spec->method.name),
      method.Stages(spec->method.parameters, static_cast<int>(spec->stages))
          .status());
}

absl::Status ResolvePartition(int64_t stages, JobSpec::Partition* partition) {
  if (!partition->method.empty()) {
    SC_RETURN_IF_ERROR(CheckOneOf("partition.method", partition->method,
                                  Partitioners().Names()));
  }
  if (!partition->cuts.empty()) {
    if (!partition->method.empty()) {
      return FieldError("partition.method",
                        "cannot stand beside cuts, which say it all; leave one "
                        "out");
    }
    constexpr int64_t kUnitsNotKnown = std::numeric_limits<int64_t>::max();
    return UnderField("partition",
                      CheckCuts(partition->cuts, kUnitsNotKnown, stages));
  }
  if (partition->method.empty()) partition->method = "balanced";
  // A single stage leaves nothing to choose.
  if (stages == 1) partition->method.clear();
  return absl::OkStatus();
}

absl::Status ResolveOptimizer(Choice* optimizer) {
  SC_RETURN_IF_ERROR(ResolveChoice(
      Optimizers(), {.path = "optimizer", .noun = "optimizer"}, optimizer));
  return UnderField(absl::StrCat("optimizer.", optimizer->name),
                    CheckOptimizer(*optimizer));
}

absl::Status ResolveRate(JobSpec::LearningRate* rate) {
  if (std::isnan(rate->base)) {
    return FieldError("learning_rate.base",
                      "must be a number above 0, not NaN; e.g. 0.05");
  }
  if (rate->base <= 0 || rate->base > 1e6) {
    return FieldError("learning_rate.base",
                      absl::StrCat("must be above 0 and at most 1e6, not ",
                                   rate->base, "; e.g. 0.05"));
  }
  return ResolveChoice(LearningRates(),
                       {.path = "learning_rate.schedule", .noun = "schedule"},
                       &rate->schedule);
}

absl::Status ResolveEvery(std::string* every) {
  if (*every == "never") return absl::OkStatus();
  const absl::StatusOr<Amount> amount = ParseAmount(Value(*every));
  if (!amount.ok()) {
    return FieldError("evaluate.every",
                      absl::StrCat(amount.status().message(), ", or never"));
  }
  if (amount->number == 0) {
    return FieldError("evaluate.every",
                      absl::StrCat("must be at least one step, not ", *every,
                                   "; e.g. 1 epoch, or never"));
  }
  *every = ToString(*amount);
  return absl::OkStatus();
}

absl::Status ResolveResources(JobSpec::Resources* resources) {
  SC_RETURN_IF_ERROR(CheckOneOf("resources.device", resources->device,
                                {"auto", "cpu", "cuda"}));
  // Not what the workers happen to have: the bits would depend on it.
  if (resources->device == "auto") resources->device = "cpu";
  return CheckInteger("resources.threads", resources->threads,
                      {.least = 1, .most = 256}, "1");
}

}  // namespace

absl::StatusOr<JobSpec> ResolveSpec(const JobSpec& spec) {
  JobSpec resolved = spec;
  SC_RETURN_IF_ERROR(CheckName(resolved.name));
  SC_RETURN_IF_ERROR(ResolveChoice(
      ZooModels(), {.path = "model", .noun = "model"}, &resolved.model));
  SC_RETURN_IF_ERROR(ResolveData(&resolved.data));
  SC_RETURN_IF_ERROR(ResolveMethod(&resolved));
  SC_RETURN_IF_ERROR(ResolvePartition(resolved.stages, &resolved.partition));
  SC_RETURN_IF_ERROR(ResolveOptimizer(&resolved.optimizer));
  SC_RETURN_IF_ERROR(ResolveRate(&resolved.learning_rate));
  SC_RETURN_IF_ERROR(CheckInteger("epochs", resolved.epochs,
                                  {.least = 1, .most = 1000000}, "10"));
  SC_RETURN_IF_ERROR(CheckOneOf("memory_format", resolved.memory_format,
                                {"auto", "contiguous", "channels_last"}));
  SC_RETURN_IF_ERROR(ResolveEvery(&resolved.evaluate_every));
  SC_RETURN_IF_ERROR(ResolveResources(&resolved.resources));
  return resolved;
}

}  // namespace stagecoach
