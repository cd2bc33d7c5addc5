#include "client/commands/workers.h"

#include <CLI/CLI.hpp>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/format.h"
#include "client/table.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

std::vector<std::string> Row(const WorkerStatus& worker) {
  return {worker.name.value(),
          worker.state,
          absl::StrCat(worker.free_slots, "/", worker.slots),
          worker.memory_bytes == 0 ? "-" : Bytes(worker.memory_bytes),
          worker.device,
          worker.address,
          worker.jobs.empty() ? "-" : worker.jobs};
}

Value ValueOf(const WorkerStatus& worker) {
  return {{"name", worker.name.value()},
          {"state", worker.state},
          {"slots", worker.slots},
          {"free_slots", worker.free_slots},
          {"memory_bytes", worker.memory_bytes},
          {"device", worker.device},
          {"address", worker.address},
          {"build", worker.build},
          {"jobs", worker.jobs}};
}

}  // namespace

void WorkersCommand::Declare(CLI::App& app) {
  app.description("Show who is in the cluster");
  coordinator_.AddTo(app);
  output_.AddTo(app);
}

absl::StatusOr<int> WorkersCommand::Run(Environment& environment) {
  SC_ASSIGN_OR_RETURN(const std::vector<WorkerStatus> workers,
                      coordinator_.Connect(environment)->Workers());
  if (output_.json()) {
    Value all = Value::array();
    for (const WorkerStatus& worker : workers) all.push_back(ValueOf(worker));
    environment.console.out << Value{{"workers", all}}.dump() << std::endl;
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {
      {"worker", "state", "free", "memory", "device", "address", "jobs"}};
  for (const WorkerStatus& worker : workers) rows.push_back(Row(worker));
  for (const std::string& line : TableLines(rows)) {
    environment.console.out << line << "\n";
  }
  return 0;
}

}  // namespace stagecoach
