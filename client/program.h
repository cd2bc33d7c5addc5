#pragma once

#include <string>
#include <vector>

#include "client/command.h"

namespace stagecoach {

// The whole of `stagecoach` but for what it is wired to: parses the arguments
// (without the program's name), runs the command and returns the exit code.
// `version` is what `--version` prints.
int RunProgram(const std::vector<std::string>& arguments,
               const std::string& version, Environment& environment);

}  // namespace stagecoach
