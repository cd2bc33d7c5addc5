#include "client/commands/registry.h"

#include "client/commands/cancel.h"
#include "client/commands/check.h"
#include "client/commands/debug.h"
#include "client/commands/describe.h"
#include "client/commands/list.h"
#include "client/commands/local.h"
#include "client/commands/result.h"
#include "client/commands/submit.h"
#include "client/commands/watch.h"
#include "client/commands/workers.h"

namespace stagecoach {
namespace {

template <typename T>
std::unique_ptr<Command> Make() {
  return std::make_unique<T>();
}

}  // namespace

const NamedTable<CommandMaker>& Commands() {
  static const auto* const table = new NamedTable<CommandMaker>({
      {"local", &Make<LocalCommand>},
      {"check", &Make<CheckCommand>},
      {"submit", &Make<SubmitCommand>},
      {"watch", &Make<WatchCommand>},
      {"list", &Make<ListCommand>},
      {"describe", &Make<DescribeCommand>},
      {"result", &Make<ResultCommand>},
      {"cancel", &Make<CancelCommand>},
      {"workers", &Make<WorkersCommand>},
      {"debug", &Make<DebugCommand>},
  });
  return *table;
}

}  // namespace stagecoach
