#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"
#include "core/base/status_macros.h"
#include "core/data/order.h"
#include "core/job/amount.h"
#include "core/model/zoo.h"
#include "core/resolve/batch_norm_rule.h"
#include "core/resolve/resolved_job.h"

namespace stagecoach {
namespace {

constexpr int64_t kMostSampleBytes = int64_t{1} << 34;

// Times the most epochs, these are still a number of steps.
constexpr int64_t kMostSamples = int64_t{1} << 40;
constexpr int64_t kMostClasses = int64_t{1} << 20;

bool Within(int64_t number, int64_t most) {
  return number > 0 && number <= most;
}

// Facts come from another process: nothing below may divide by a zero in them,
// or overflow.
absl::Status CheckFacts(const DataFacts& facts) {
  const TensorType sample = {.dtype = DataType::kUint8,
                             .shape = facts.sample,
                             .order = RowMajor(facts.sample.size())};
  SC_RETURN_IF_ERROR(Validate(sample, kMostSampleBytes));
  if (facts.sample.size() == 3 && ElementsOf(facts.sample) > 0 &&
      Within(facts.train_samples, kMostSamples) &&
      Within(facts.test_samples, kMostSamples) &&
      Within(facts.classes, kMostClasses)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the data has ", facts.train_samples, " training and ",
      facts.test_samples, " test samples of ", ToString(facts.sample), " in ",
      facts.classes, " classes; images with channels, height and width, ",
      "at least one of each"));
}

absl::Status CheckBatch(int64_t batch_size, int64_t samples) {
  if (batch_size <= samples) return absl::OkStatus();
  return FieldError("data.batch_size",
                    absl::StrCat(batch_size, " is larger than the data of ",
                                 samples, " training samples; e.g. ",
                                 std::min<int64_t>(samples, 128)));
}

bool Declares(const Declaration& declaration, absl::string_view name) {
  return std::any_of(
      declaration.parameters.begin(), declaration.parameters.end(),
      [name](const Parameter& parameter) { return parameter.name == name; });
}

absl::Status BuildModel(ResolvedJob* job) {
  Choice& choice = job->spec.model;
  const std::string path = absl::StrCat("model.", choice.name);
  const ZooModel& zoo = **ZooModels().Find(choice.name);
  if (Declares(zoo.declaration(), "classes") &&
      !Has(choice.parameters, "classes")) {
    choice.parameters["classes"] = job->facts.classes;
  }
  const auto units = zoo.Units(choice.parameters, job->facts.sample);
  if (!units.ok()) return UnderField(path, units.status());
  absl::StatusOr<Model> model = PlaceModel(*units, job->facts.sample);
  if (!model.ok()) return FieldError(path, model.status().message());
  job->model = *std::move(model);
  if (job->model.output() == Shape{job->facts.classes}) return absl::OkStatus();
  return FieldError(
      absl::StrCat(path, ".", zoo.OutputField(choice.parameters)),
      absl::StrCat("must be the ", job->facts.classes,
                   " classes of the data, not ", ToString(job->model.output()),
                   "; e.g. ", job->facts.classes));
}

absl::Status ChooseCuts(ResolvedJob* job) {
  const JobSpec& spec = job->spec;
  const auto units = static_cast<int64_t>(job->model.units.size());
  if (spec.stages > units) {
    return FieldError("stages",
                      absl::StrCat("must be at most the ", units, " units of ",
                                   spec.model.name, ", not ", spec.stages));
  }
  const Method& method = **Methods().Find(spec.method.name);
  SC_ASSIGN_OR_RETURN(
      job->stages,
      method.Stages(spec.method.parameters, static_cast<int>(spec.stages)));
  JobSpec::Partition& partition = job->spec.partition;
  if (!partition.method.empty()) {
    partition.cuts =
        Partitioners().Find(partition.method)->cut(job->model, job->stages);
    partition.method.clear();
  }
  job->cuts = partition.cuts;
  return UnderField("partition", CheckCuts(job->cuts, units, spec.stages));
}

absl::Status ChooseFormat(ResolvedJob* job) {
  std::string& format = job->spec.memory_format;
  // oneDNN's convolutions are a third faster on it, and the bits differ: so a
  // rule, written down, and no measurement.
  if (format == "auto") {
    const bool images_last = job->spec.resources.device == "cpu" &&
                             HasLayer(job->model.units, "conv");
    format = images_last ? "channels_last" : "contiguous";
  }
  job->channels_last = format == "channels_last";
  return absl::OkStatus();
}

absl::Status CountSteps(ResolvedJob* job) {
  const JobSpec& spec = job->spec;
  job->steps_per_epoch =
      BatchesPerEpoch(job->facts.train_samples, spec.data.batch_size);
  job->steps = spec.epochs * job->steps_per_epoch;
  auto rate =
      MakeLearningRate(spec.learning_rate, job->steps_per_epoch, job->steps);
  if (!rate.ok()) return UnderField("learning_rate", rate.status());
  job->learning_rate = *std::move(rate);
  if (spec.evaluate_every == "never") return absl::OkStatus();
  SC_ASSIGN_OR_RETURN(const Amount every, ParseAmount(spec.evaluate_every));
  job->evaluate_every = StepsOf(every, job->steps_per_epoch, job->steps);
  if (job->evaluate_every > 0) return absl::OkStatus();
  return FieldError(
      "evaluate.every",
      absl::StrCat(spec.evaluate_every, " of the job's ", job->steps,
                   " steps is less than one; e.g. 1 epoch"));
}

}  // namespace

absl::StatusOr<ResolvedJob> ResolveJob(const JobSpec& spec,
                                       const DataFacts& facts) {
  SC_RETURN_IF_ERROR(CheckFacts(facts));
  ResolvedJob job;
  SC_ASSIGN_OR_RETURN(job.spec, ResolveSpec(spec));
  job.facts = facts;
  const int64_t batch_size = job.spec.data.batch_size;
  SC_RETURN_IF_ERROR(BuildModel(&job));
  SC_RETURN_IF_ERROR(CheckBatch(batch_size, facts.train_samples));
  SC_RETURN_IF_ERROR(
      CheckBatchNorm(job.model.units, facts.train_samples, batch_size));
  SC_RETURN_IF_ERROR(ChooseCuts(&job));
  SC_RETURN_IF_ERROR(CountSteps(&job));
  SC_RETURN_IF_ERROR(ChooseFormat(&job));
  return job;
}

}  // namespace stagecoach
