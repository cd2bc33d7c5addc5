#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace stagecoach {

enum class DataType { kUint8, kInt64, kFloat32, kFloat64, kBfloat16, kBool };

int64_t SizeOf(DataType type);            // bytes of one element
absl::string_view NameOf(DataType type);  // "float32"
absl::StatusOr<DataType> DataTypeFromName(absl::string_view name);

using Shape = std::vector<int64_t>;

std::string ToString(const Shape& shape);  // "16x3x3x3"; "scalar" for rank 0
int64_t ElementsOf(const Shape& shape);    // product; caller knows it fits

// How a dense tensor lies in memory: its dimensions from the slowest to the
// fastest varying. {0, 1, 2, 3} is row-major, {0, 2, 3, 1} is channels_last.
using DimensionOrder = std::vector<int>;

DimensionOrder RowMajor(size_t rank);

// What a tensor is, without its contents.
struct TensorType {
  DataType dtype = DataType::kFloat32;
  Shape shape;
  DimensionOrder order;  // a permutation of the dimensions

  int64_t bytes() const { return ElementsOf(shape) * SizeOf(dtype); }

  friend bool operator==(const TensorType&, const TensorType&) = default;
};

// kInvalidArgument when the rank exceeds 16, a dimension is negative, `order`
// is no permutation, or the size overflows or exceeds `max_bytes`.
absl::Status Validate(const TensorType& type, int64_t max_bytes);

// A dense tensor without torch. The bytes lie as `type.order` says, aligned to
// 64 bytes when allocated here, and live as long as anyone holds `data`: a
// sender's may be the tensor's own storage, which then must not be written.
struct TensorBytes {
  TensorType type;
  std::shared_ptr<std::byte> data;

  int64_t size() const { return type.bytes(); }
};

// Memory of `bytes` bytes at a multiple of 64, uninitialised.
std::shared_ptr<std::byte> AllocateAligned(int64_t bytes);

}  // namespace stagecoach
