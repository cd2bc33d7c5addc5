#pragma once

#include <string>

namespace stagecoach {

// Where our programs keep a user's state unless they are told otherwise: the
// folder "stagecoach" in $XDG_STATE_HOME, or in ~/.local/state where that is
// not set (XDG base directory specification).
std::string StateHome();

}  // namespace stagecoach
