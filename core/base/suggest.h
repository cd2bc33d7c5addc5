#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace stagecoach {

// The known name that `word` was most likely meant to be, by edit distance
// (at most a third of its letters); empty when none is near.
std::string NearestName(absl::string_view word,
                        const std::vector<std::string>& known);

// "; did you mean 'momentum'?" when a name is near, otherwise
// "; known: momentum, nesterov". For the ends of error messages.
std::string Suggestion(absl::string_view word,
                       const std::vector<std::string>& known);

}  // namespace stagecoach
