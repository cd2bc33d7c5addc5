#include "client/checked_job.h"

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/format.h"
#include "client/table.h"
#include "core/base/field_error.h"
#include "core/base/status_macros.h"
#include "core/base/tensor_bytes.h"

namespace stagecoach {
namespace {

constexpr char kNeedsCluster[] =
    "whether workers have room, the device and the same data";

// An error about a file of the data belongs to the field that names it.
absl::Status AboutData(const Choice& source, const absl::Status& error) {
  if (!FieldOf(error).empty()) return error;
  return FieldError(absl::StrCat("data.", source.name),
                    absl::string_view(error.message()));
}

absl::StatusOr<DataFacts> ReadFacts(const Choice& source) {
  const DataSourceType* const* type = DataSources().Find(source.name);
  auto data =
      (*type)->Open(source.parameters, std::filesystem::current_path().string(),
                    /*confined=*/false);
  if (!data.ok()) return AboutData(source, data.status());
  return (*data)->facts();
}

int64_t ParameterElements(const ResolvedJob& job, int stage) {
  int64_t sum = 0;
  for (const PlacedTensor& tensor : ParametersOf(job.UnitsOf(stage))) {
    sum += tensor.elements();
  }
  return sum;
}

UnitRange UnitsAt(const ResolvedJob& job, int stage) {
  return UnitsOfStage(job.cuts, static_cast<int64_t>(job.model.units.size()),
                      stage);
}

std::vector<std::string> StageRow(const ResolvedJob& job, int stage) {
  const UnitRange units = UnitsAt(job, stage);
  return {absl::StrCat(stage), absl::StrCat(units.begin, "..", units.end - 1),
          Count(ParameterElements(job, stage)),
          absl::StrCat(job.stages[static_cast<size_t>(stage)].window),
          Bytes(MemoryOf(job, stage).total())};
}

Value StageValue(const ResolvedJob& job, int stage) {
  const UnitRange units = UnitsAt(job, stage);
  const StageMemory memory = MemoryOf(job, stage);
  return {{"first_unit", units.begin},
          {"end_unit", units.end},
          {"parameters", ParameterElements(job, stage)},
          {"staleness", job.stages[static_cast<size_t>(stage)].window},
          {"memory_bytes",
           {{"weights", memory.weights},
            {"optimizer", memory.optimizer},
            {"inputs", memory.inputs},
            {"buffers", memory.buffers},
            {"links", memory.links},
            {"total", memory.total()}}}};
}

std::string DataText(const ResolvedJob& job) {
  const DataFacts& facts = job.facts;
  return absl::StrCat(Count(facts.train_samples), " training and ",
                      Count(facts.test_samples), " test samples of ",
                      ToString(facts.sample), ", ", facts.classes, " classes");
}

}  // namespace

absl::StatusOr<CheckedJob> CheckJob(const JobSpec& spec) {
  CheckedJob job;
  SC_ASSIGN_OR_RETURN(job.spec, ResolveSpec(spec));
  const Choice& source = job.spec.data.source;
  job.data_path = (*DataSources().Find(source.name))->Path(source.parameters);
  std::error_code ignored;
  if (std::filesystem::exists(job.data_path, ignored)) {
    SC_ASSIGN_OR_RETURN(const DataFacts facts, ReadFacts(source));
    SC_ASSIGN_OR_RETURN(job.resolved, ResolveJob(job.spec, facts));
  } else {
    job.not_checked.push_back(
        absl::StrCat("the data and whether the model fits it: ", job.data_path,
                     " is not on this machine"));
  }
  job.not_checked.push_back(kNeedsCluster);
  return job;
}

std::vector<std::string> CheckLines(const CheckedJob& job) {
  std::vector<std::string> lines;
  lines.push_back(absl::StrCat("model ", job.spec.model.name, ", method ",
                               job.spec.method.name, ", ", job.spec.stages,
                               job.spec.stages == 1 ? " stage" : " stages"));
  if (job.resolved.has_value()) {
    const ResolvedJob& resolved = *job.resolved;
    lines.push_back(
        absl::StrCat("data ", job.data_path, ": ", DataText(resolved)));
    lines.push_back(absl::StrCat(
        Count(resolved.steps), " steps, ", Count(resolved.steps_per_epoch),
        " an epoch; evaluated every ", Count(resolved.evaluate_every)));
    std::vector<std::vector<std::string>> rows = {
        {"stage", "units", "parameters", "staleness", "memory"}};
    for (int stage = 0; stage < resolved.num_stages(); ++stage) {
      rows.push_back(StageRow(resolved, stage));
    }
    for (std::string& line : TableLines(rows)) lines.push_back(std::move(line));
  }
  for (const std::string& what : job.not_checked) {
    lines.push_back(absl::StrCat("not checked: ", what));
  }
  return lines;
}

Value CheckValue(const CheckedJob& job) {
  Value value = {{"job", ToValue(job.spec)},
                 {"spec_digest", SpecDigest(job.spec)},
                 {"data_path", job.data_path},
                 {"data_read", job.resolved.has_value()},
                 {"not_checked", job.not_checked}};
  if (!job.resolved.has_value()) return value;
  value["job"] = ToValue(job.resolved->spec);
  value["spec_digest"] = SpecDigest(job.resolved->spec);
  value["steps"] = job.resolved->steps;
  value["steps_per_epoch"] = job.resolved->steps_per_epoch;
  value["stages"] = Value::array();
  for (int stage = 0; stage < job.resolved->num_stages(); ++stage) {
    value["stages"].push_back(StageValue(*job.resolved, stage));
  }
  return value;
}

}  // namespace stagecoach
