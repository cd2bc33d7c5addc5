#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/paths.h"

namespace stagecoach::oracle {

// A file of test vectors in tests/reference, which its .py makes.
inline nlohmann::json ReferenceVectors(const std::string& file) {
  std::ifstream stream(SourceDir() / "tests/reference" / file);
  return nlohmann::json::parse(stream);
}

// Seeds exceed what JSON's numbers hold exactly, so they are texts.
inline uint64_t SeedOf(const nlohmann::json& entry) {
  return std::stoull(entry["seed"].get<std::string>());
}

}  // namespace stagecoach::oracle
