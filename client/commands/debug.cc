#include "client/commands/debug.h"

#include <CLI/CLI.hpp>
#include <vector>

#include "core/base/status_macros.h"

namespace stagecoach {

void DebugCommand::Declare(CLI::App& app) {
  app.description("Show the last moves of each stage on a worker");
  app.add_option("WORKER", worker_, "Its name, as shown by workers")
      ->required();
  coordinator_.AddTo(app);
  output_.AddTo(app);
}

absl::StatusOr<int> DebugCommand::Run(Environment& environment) {
  SC_ASSIGN_OR_RETURN(
      const std::vector<FlightRecord> records,
      coordinator_.Connect(environment)->FlightRecords(WorkerName(worker_)));
  std::ostream& out = environment.console.out;
  Value all = Value::array();
  for (const FlightRecord& record : records) {
    all.push_back({{"job", record.job.value()},
                   {"generation", record.generation.value()},
                   {"stage", record.stage.value()},
                   {"moves", record.moves}});
    if (output_.json()) continue;
    out << record.job << " stage " << record.stage << " (generation "
        << record.generation << ")\n";
    for (const std::string& move : record.moves) out << "  " << move << "\n";
  }
  if (output_.json()) out << Value{{"stages", all}}.dump() << "\n";
  out.flush();
  return 0;
}

}  // namespace stagecoach
