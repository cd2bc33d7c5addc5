#include "worker/model/tensors.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/base/tensor_bytes.h"
#include "core/digest/sha256.h"
#include "core/model/initial_weights.h"

namespace stagecoach {
namespace {

// Where a parameter starts is the same on every stage and in every process, as
// far as kernels can tell: they may choose their way by the alignment.
constexpr int64_t kAlignment = 64;

int64_t RoundedUp(int64_t elements, int64_t element_bytes) {
  const int64_t step = kAlignment / element_bytes;
  return (elements + step - 1) / step * step;
}

std::vector<int64_t> Strides(const Shape& shape, bool channels_last) {
  const DimensionOrder order = channels_last && shape.size() == 4
                                   ? DimensionOrder{0, 2, 3, 1}
                                   : RowMajor(shape.size());
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= shape[order[i]];
  }
  return strides;
}

template <typename T>
torch::Tensor Filled(const PlacedTensor& tensor, uint64_t seed,
                     torch::ScalarType dtype) {
  torch::Tensor values = at::empty(tensor.shape, dtype);
  FillInitial(tensor, seed,
              absl::MakeSpan(values.data_ptr<T>(), values.numel()));
  return values;
}

// Row-major.
torch::Tensor InitialValues(const PlacedTensor& tensor,
                            const NetworkOptions& options) {
  return options.dtype == torch::kFloat32
             ? Filled<float>(tensor, options.seed, options.dtype)
             : Filled<double>(tensor, options.seed, options.dtype);
}

std::string DigestLine(const std::string& name, const torch::Tensor& tensor) {
  const torch::Tensor values = tensor.detach().cpu().contiguous();
  const auto* bytes = static_cast<const std::byte*>(values.const_data_ptr());
  const auto size = static_cast<size_t>(values.nbytes());
  const DataType type = values.scalar_type() == torch::kFloat32
                            ? DataType::kFloat32
                            : DataType::kFloat64;
  return absl::StrCat(name, " ", NameOf(type), " ",
                      ToString(values.sizes().vec()), " ",
                      Sha256Hex(absl::MakeConstSpan(bytes, size)), "\n");
}

}  // namespace

NetworkTensors::NetworkTensors(absl::Span<const PlacedLayer> units,
                               const NetworkOptions& options)
    : named_(TensorsOf(units)) {
  const at::NoGradGuard no_graph;
  const auto element_bytes =
      static_cast<int64_t>(c10::elementSize(options.dtype));
  int64_t elements = 0;
  for (const NamedTensor& named : named_) {
    if (named.is_buffer) continue;
    elements += RoundedUp(named.tensor->elements(), element_bytes);
  }
  const auto type = at::device(options.device).dtype(options.dtype);
  flat_ = at::zeros({elements}, type);

  int64_t offset = 0;
  for (const auto& [tensor, is_buffer] : named_) {
    torch::Tensor place;
    if (is_buffer) {
      place = buffers_.emplace_back(at::empty(tensor->shape, type));
    } else {
      // detach: a leaf of its own instead of a view that autograd tracks.
      place = parameters_.emplace_back(
          flat_
              .as_strided(tensor->shape,
                          Strides(tensor->shape, options.channels_last), offset)
              .detach());
      offset += RoundedUp(tensor->elements(), element_bytes);
    }
    place.copy_(InitialValues(*tensor, options));
    by_place_.emplace(tensor, place);
  }
  for (const torch::Tensor& parameter : parameters_) {
    parameter.set_requires_grad(true);
  }
}

const torch::Tensor& NetworkTensors::Of(const PlacedTensor& tensor) const {
  const auto found = by_place_.find(&tensor);
  SC_CHECK(found != by_place_.end(), "the tensor is of another network");
  return found->second;
}

std::vector<std::string> NetworkTensors::DigestLines() const {
  std::vector<std::string> lines;
  for (const NamedTensor& named : named_) {
    lines.push_back(DigestLine(named.tensor->name, Of(*named.tensor)));
  }
  return lines;
}

}  // namespace stagecoach
