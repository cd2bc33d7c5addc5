#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/base/tensor_bytes.h"

namespace stagecoach {

// An array of bytes in the IDX format of MNIST:
//
//   file = 0 0 type rank size[0] .. size[rank - 1] element*
//
// type 8 (unsigned bytes) is the only one read here, rank is one byte, sizes
// are four bytes, the highest first, elements are in row-major order.
//
// Immutable, hence thread-safe.
class IdxArray {
 public:
  // `file` names the bytes in errors. Checked in full: magic number, rank
  // within `least_rank` to `most_rank`, sizes above 0, at most 16 GiB, the
  // exact length. kDataLoss where it ends too early, else kInvalidArgument.
  static absl::StatusOr<IdxArray> Parse(std::string bytes,
                                        absl::string_view file, int least_rank,
                                        int most_rank);

  // Out of a file, compressed with gzip or not, whatever its name says.
  static absl::StatusOr<IdxArray> Read(const std::string& path, int least_rank,
                                       int most_rank);

  const Shape& shape() const { return shape_; }
  absl::Span<const uint8_t> elements() const;
  int64_t header_bytes() const;

 private:
  IdxArray(std::string bytes, Shape shape)
      : bytes_(std::move(bytes)), shape_(std::move(shape)) {}

  std::string bytes_;  // header and elements
  Shape shape_;
};

}  // namespace stagecoach
