#pragma once

#include <memory>

#include "client/command.h"
#include "core/base/named_table.h"

namespace stagecoach {

using CommandMaker = std::unique_ptr<Command> (*)();

// Every subcommand, in the order in which `--help` lists them.
const NamedTable<CommandMaker>& Commands();

}  // namespace stagecoach
