#include "client/commands/list.h"

#include <CLI/CLI.hpp>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/format.h"
#include "client/table.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

// What it waits for, or why it ended.
std::string NoteOn(const JobStatus& job) {
  if (!job.reason.empty()) return job.reason;
  const bool unwell = job.cause.has_value() && IsFinal(job.state) &&
                      job.state != JobState::kSucceeded;
  return unwell ? job.cause->text : "";
}

std::vector<std::string> Row(const JobStatus& job) {
  const auto& evaluation = job.last_evaluation;
  return {job.id.value(),
          std::string(NameOf(job.state)),
          absl::StrCat(job.step, "/", job.steps),
          evaluation.has_value() ? Percent(evaluation->accuracy, 2) : "-",
          absl::FormatTime("%Y-%m-%d %H:%M:%S", job.submitted,
                           absl::LocalTimeZone()),
          job.name,
          NoteOn(job)};
}

}  // namespace

void ListCommand::Declare(CLI::App& app) {
  app.description("List every job, the newest first");
  coordinator_.AddTo(app);
  output_.AddTo(app);
}

absl::StatusOr<int> ListCommand::Run(Environment& environment) {
  SC_ASSIGN_OR_RETURN(const std::vector<JobStatus> jobs,
                      coordinator_.Connect(environment)->List());
  if (output_.json()) {
    Value all = Value::array();
    for (const JobStatus& job : jobs) all.push_back(ResultValue(job));
    environment.console.out << Value{{"jobs", all}}.dump() << std::endl;
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {
      {"job", "state", "step", "test accuracy", "submitted", "name", "note"}};
  for (const JobStatus& job : jobs) rows.push_back(Row(job));
  for (const std::string& line : TableLines(rows)) {
    environment.console.out << line << "\n";
  }
  return 0;
}

}  // namespace stagecoach
