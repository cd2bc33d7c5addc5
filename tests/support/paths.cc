#include "tests/support/paths.h"

namespace stagecoach {

std::filesystem::path SourceDir() { return STAGECOACH_SOURCE_DIR; }

std::filesystem::path ProgramDir() { return STAGECOACH_PROGRAM_DIR; }

}  // namespace stagecoach
