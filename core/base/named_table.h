#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace stagecoach {

// The explicit registry: names and what they stand for, in the order written.
// There is no registration by static objects: it is lost by static libraries
// and hides its order.
//
// Immutable.
template <typename T>
class NamedTable {
 public:
  NamedTable(std::initializer_list<std::pair<std::string, T>> entries)
      : entries_(entries) {}

  // Null when there is no such name.
  const T* Find(absl::string_view name) const {
    for (const auto& [known, value] : entries_) {
      if (name == known) return &value;
    }
    return nullptr;
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : entries_) names.push_back(entry.first);
    return names;
  }

 private:
  std::vector<std::pair<std::string, T>> entries_;
};

}  // namespace stagecoach
