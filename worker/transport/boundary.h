#pragma once

#include <string>
#include <vector>

#include "core/base/tensor_bytes.h"

namespace stagecoach {

// One tensor that crosses from a stage to the next, in an item of full size.
struct BoundaryTensor {
  TensorType type;
  bool needs_gradient = false;

  friend bool operator==(const BoundaryTensor&,
                         const BoundaryTensor&) = default;
};

// The digest of a boundary that both ends of a link compare when they connect:
// "float32 32x16x8x8 order 0,2,3,1 with gradient; int64 32". Boundaries are
// short, so the digest is their whole description: equal if and only if they
// are, and a refusal explains itself. Row-major order is left out.
std::string BoundaryDigest(const std::vector<BoundaryTensor>& tensors);

}  // namespace stagecoach
