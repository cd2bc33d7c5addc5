#pragma once

#include <filesystem>

namespace stagecoach {

// The root of the source tree, for tests that read example files.
std::filesystem::path SourceDir();

// Where this build puts the programs, for tests that start them.
std::filesystem::path ProgramDir();

}  // namespace stagecoach
