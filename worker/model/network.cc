#include "worker/model/network.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "worker/model/layers.h"
#include "worker/model/layers/batch_norm.h"
#include "worker/model/tensors.h"

namespace stagecoach {
namespace {

int64_t BytesOf(const std::vector<torch::Tensor>& tensors) {
  int64_t bytes = 0;
  for (const torch::Tensor& tensor : tensors) {
    bytes += static_cast<int64_t>(tensor.nbytes());
  }
  return bytes;
}

absl::Status CheckOptions(const NetworkOptions& options) {
  if (!options.device.is_cpu() && !options.device.is_cuda()) {
    return absl::InvalidArgumentError(
        absl::StrCat("device ", options.device.str(),
                     " is not supported: layers run on cpu and cuda"));
  }
  if (options.dtype != torch::kFloat32 && options.dtype != torch::kFloat64) {
    return absl::InvalidArgumentError(
        absl::StrCat("parameters of type ", c10::toString(options.dtype),
                     " are not supported: they are float32 or float64"));
  }
  return absl::OkStatus();
}

// `images` with the strides that kernels read as channels_last. Those of one
// channel or one place have several strides for the same memory.
torch::Tensor ChannelsLast(const torch::Tensor& images) {
  torch::Tensor wanted = at::empty(images.sizes(), images.options(),
                                   at::MemoryFormat::ChannelsLast);
  if (images.strides() == wanted.strides()) return images;
  return wanted.copy_(images);
}

class FlatNetwork final : public Network {
 public:
  FlatNetwork(absl::Span<const PlacedLayer> units,
              const NetworkOptions& options)
      : channels_last_(options.channels_last),
        tensors_(units, options),
        layers_(units, tensors_) {}

  torch::Tensor Forward(const torch::Tensor& input, ForwardMode mode,
                        BatchStatistics* statistics) override {
    const torch::Tensor entry =
        channels_last_ && input.dim() == 4 ? ChannelsLast(input) : input;
    return layers_
        .Forward({.tensor = entry}, {.mode = mode, .statistics = statistics})
        .tensor;
  }

  const std::vector<torch::Tensor>& parameters() const override {
    return tensors_.parameters();
  }
  const torch::Tensor& flat() const override { return tensors_.flat(); }

  void MarkUpdated() override {
    tensors_.flat().unsafeGetTensorImpl()->bump_version();
  }

  void Fold(const BatchStatistics& statistics) override {
    if (statistics.empty()) return;
    SC_CHECK(statistics.size() == tensors_.buffers().size(),
             "these statistics are of another network");
    for (size_t i = 0; i < statistics.size(); ++i) {
      FoldStatistic(statistics[i], tensors_.buffers()[i]);
    }
  }

  std::vector<std::string> DigestLines() const override {
    return tensors_.DigestLines();
  }

  int64_t parameter_bytes() const override {
    return BytesOf(tensors_.parameters());
  }
  int64_t buffer_bytes() const override { return BytesOf(tensors_.buffers()); }

 private:
  const bool channels_last_;
  const NetworkTensors tensors_;
  const LayerChain layers_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Network>> Network::Create(
    absl::Span<const PlacedLayer> units, const NetworkOptions& options) {
  SC_RETURN_IF_ERROR(CheckOptions(options));
  SC_RETURN_IF_ERROR(CheckLayers(units));
  return std::make_unique<FlatNetwork>(units, options);
}

}  // namespace stagecoach
