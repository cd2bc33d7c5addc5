#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/oracle/network.h"

namespace stagecoach::oracle {

// Section 10 of docs/definitions.md.

// SHA-256 (FIPS 180-4) in lower-case hexadecimal.
std::string Sha256(const std::string& bytes);

// One line per tensor, with its newline.
std::vector<std::string> DigestLines(const std::vector<TensorSpec>& specs,
                                     const Tensors& tensors);

std::string DigestOf(const std::vector<std::string>& lines);

}  // namespace stagecoach::oracle
