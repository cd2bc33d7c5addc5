#include "worker/stage/tensor_codec.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/check.h"

namespace stagecoach {
namespace {

constexpr std::array<std::pair<DataType, torch::ScalarType>, 6> kTypes = {{
    {DataType::kUint8, torch::kUInt8},
    {DataType::kInt64, torch::kInt64},
    {DataType::kFloat32, torch::kFloat32},
    {DataType::kFloat64, torch::kFloat64},
    {DataType::kBfloat16, torch::kBFloat16},
    {DataType::kBool, torch::kBool},
}};

DataType DataTypeOf(torch::ScalarType type) {
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(),
                   [type](const auto& pair) { return pair.second == type; });
  SC_CHECK(found != kTypes.end(), "a tensor of a type that no frame carries");
  return found->first;
}

std::vector<int64_t> StridesOf(at::IntArrayRef shape,
                               const DimensionOrder& order) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const auto dimension = static_cast<size_t>(*it);
    strides[dimension] = stride;
    stride *= std::max<int64_t>(shape[dimension], 1);
  }
  return strides;
}

// The stride of a dimension of size 1 says nothing.
bool LiesIn(const torch::Tensor& tensor, const DimensionOrder& order) {
  const std::vector<int64_t> strides = StridesOf(tensor.sizes(), order);
  for (size_t i = 0; i < strides.size(); ++i) {
    if (tensor.sizes()[i] > 1 && tensor.strides()[i] != strides[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

torch::ScalarType ScalarTypeOf(DataType type) {
  const auto* found =
      std::find_if(kTypes.begin(), kTypes.end(),
                   [type](const auto& pair) { return pair.first == type; });
  SC_CHECK(found != kTypes.end(), "a data type outside its enum");
  return found->second;
}

torch::Tensor LaidOut(const torch::Tensor& tensor,
                      const DimensionOrder& order) {
  if (LiesIn(tensor, order)) return tensor;
  const torch::Tensor laid_out = torch::empty_strided(
      tensor.sizes(), StridesOf(tensor.sizes(), order), tensor.options());
  return laid_out.copy_(tensor);
}

TensorBytes ToBytes(const torch::Tensor& tensor, const DimensionOrder& order) {
  auto held = std::make_shared<torch::Tensor>(tensor.detach().cpu());
  SC_CHECK(LiesIn(*held, order), "a tensor is sent that is not laid out");
  auto* data = static_cast<std::byte*>(held->data_ptr());
  return {.type = {.dtype = DataTypeOf(held->scalar_type()),
                   .shape = held->sizes().vec(),
                   .order = order},
          .data = std::shared_ptr<std::byte>(std::move(held), data)};
}

torch::Tensor FromBytes(const TensorBytes& bytes) {
  const auto keep_alive = [data = bytes.data](void*) {};
  return torch::from_blob(bytes.data.get(), bytes.type.shape,
                          StridesOf(bytes.type.shape, bytes.type.order),
                          keep_alive,
                          torch::dtype(ScalarTypeOf(bytes.type.dtype)));
}

}  // namespace stagecoach
