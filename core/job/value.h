#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace stagecoach {

// What a job file can hold: null, boolean, number, text, list or map. Keys of
// maps are sorted, so equal values print equally.
using Value = nlohmann::json;

// Something that a registry names, with its parameters: `dsp: {slack: 2}`, or
// bare `relu`.
struct Choice {
  std::string name;
  Value parameters = Value::object();

  friend bool operator==(const Choice&, const Choice&) = default;
};

// A value as it stands in an error message: on one line, cut where it is long.
std::string Shown(const Value& value);

}  // namespace stagecoach
