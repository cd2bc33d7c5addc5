#include "core/base/tensor_bytes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/base/check.h"

namespace stagecoach {
namespace {

struct TypeFacts {
  DataType type;
  absl::string_view name;
  int64_t size;
};

constexpr std::array<TypeFacts, 6> kTypes = {{
    {DataType::kUint8, "uint8", 1},
    {DataType::kInt64, "int64", 8},
    {DataType::kFloat32, "float32", 4},
    {DataType::kFloat64, "float64", 8},
    {DataType::kBfloat16, "bfloat16", 2},
    {DataType::kBool, "bool", 1},
}};

const TypeFacts& FactsOf(DataType type) {
  const auto found = std::find_if(
      kTypes.begin(), kTypes.end(),
      [type](const TypeFacts& facts) { return facts.type == type; });
  SC_CHECK(found != kTypes.end(), "a data type outside its enum");
  return *found;
}

}  // namespace

int64_t SizeOf(DataType type) { return FactsOf(type).size; }

absl::string_view NameOf(DataType type) { return FactsOf(type).name; }

absl::StatusOr<DataType> DataTypeFromName(absl::string_view name) {
  for (const TypeFacts& facts : kTypes) {
    if (facts.name == name) return facts.type;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown data type '", name, "'"));
}

std::string ToString(const Shape& shape) {
  return shape.empty() ? "scalar" : absl::StrJoin(shape, "x");
}

int64_t ElementsOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1},
                         std::multiplies<>());
}

DimensionOrder RowMajor(size_t rank) {
  DimensionOrder order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

absl::Status Validate(const TensorType& type, int64_t max_bytes) {
  if (type.shape.size() > 16) {
    return absl::InvalidArgumentError(
        absl::StrCat("rank ", type.shape.size(), " exceeds 16"));
  }
  DimensionOrder sorted = type.order;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != RowMajor(type.shape.size())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "dimension order [", absl::StrJoin(type.order, ", "),
        "] is no permutation of ", type.shape.size(), " dimensions"));
  }
  int64_t bytes = SizeOf(type.dtype);
  for (const int64_t dimension : type.shape) {
    if (dimension < 0 || __builtin_mul_overflow(bytes, dimension, &bytes)) {
      return absl::InvalidArgumentError(
          absl::StrCat("shape ", ToString(type.shape), " is not possible"));
    }
  }
  if (bytes > max_bytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a tensor of ", bytes, " bytes exceeds the limit of ", max_bytes));
  }
  return absl::OkStatus();
}

std::shared_ptr<std::byte> AllocateAligned(int64_t bytes) {
  constexpr size_t kAlignment = 64;
  const size_t rounded =
      (std::max<size_t>(static_cast<size_t>(bytes), 1) + kAlignment - 1) /
      kAlignment * kAlignment;
  auto* memory =
      static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded));
  SC_CHECK(memory != nullptr, "out of memory");
  return {memory, [](std::byte* pointer) { std::free(pointer); }};
}

}  // namespace stagecoach
