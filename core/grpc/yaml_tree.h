#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/job/value.h"

namespace stagecoach {

// A place in a file, counted from 1.
struct TextPlace {
  int line = 1;
  int column = 1;

  friend bool operator==(const TextPlace&, const TextPlace&) = default;
};

// One node of a YAML document, as it was written. A value.
struct YamlNode {
  enum class Kind { kNull, kScalar, kList, kMap };
  struct Key {
    std::string name;
    TextPlace place;
  };

  Kind kind = Kind::kNull;
  TextPlace place;
  std::string text;                // of a scalar
  bool plain = false;              // a scalar without quotes
  std::vector<Key> keys;           // of a map, one for each of `children`
  std::vector<YamlNode> children;  // of a list or map
};

inline constexpr int64_t kMostYamlBytes = 1000000;

// The one document of the text. Refuses more than YAML that a job needs:
// duplicate keys (which yaml-cpp drops silently), anchors, aliases, tags,
// second documents, more than kMostYamlBytes, more than 64 levels, tabs in
// front of a line, what is not UTF-8. kInvalidArgument on one line that starts
// with "FILE:LINE:COLUMN: ".
absl::StatusOr<YamlNode> ParseYaml(absl::string_view text,
                                   absl::string_view file);

// What a scalar stands for in the core schema of YAML 1.2: 010 is ten, 0o10
// eight, `yes` a text, `true` a boolean. Quoted scalars are texts.
Value ScalarValue(const YamlNode& scalar);

// "FILE:LINE:COLUMN: field: message", or without the field where it is empty.
absl::Status ErrorAt(absl::string_view file, const TextPlace& place,
                     absl::string_view field, absl::string_view message);

}  // namespace stagecoach
