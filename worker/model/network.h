#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/model/model.h"

namespace stagecoach {

struct NetworkOptions {
  uint64_t seed = 1;
  bool channels_last = false;
  torch::Device device = torch::kCPU;         // or CUDA
  torch::ScalarType dtype = torch::kFloat32;  // or float64, to verify
};

// What batch normalisation measured in one pass, in model order: per layer the
// batch mean, then the unbiased variance.
using BatchStatistics = std::vector<torch::Tensor>;

enum class ForwardMode {
  kTrain,     // batch statistics; buffers are neither read nor written
  kEvaluate,  // the buffers' statistics
};

// The layers of one stage with their parameters and buffers. All parameters
// are views into one flat tensor, in model order, each from a multiple of 64
// bytes on, so that a kernel sees the same alignment on every stage; zeros fill
// the gaps. In channels_last networks 4-d weights lie channels_last within
// their part, and images are brought into that format on entry. Nobody else
// binds weights to layers.
//
// Thread-confined: the stage thread.
class Network {
 public:
  // Allocates and initialises (definitions.md, section 2). `units` must
  // outlive the network. kInvalidArgument for a device or type other than
  // those above, kUnimplemented for a layer that this worker does not have.
  static absl::StatusOr<std::unique_ptr<Network>> Create(
      absl::Span<const PlacedLayer> units, const NetworkOptions& options);

  virtual ~Network() = default;

  // Output of the last unit. Records a graph when grad mode is on. In training,
  // `statistics` (may be null) receives what batch normalisation measured.
  // Torch's exceptions pass through: callers run it under worker/stage's guard.
  virtual torch::Tensor Forward(const torch::Tensor& input, ForwardMode mode,
                                BatchStatistics* statistics) = 0;

  // Leaves that require gradients, in model order; storage shared with flat().
  virtual const std::vector<torch::Tensor>& parameters() const = 0;

  // The one buffer, 1-d. Written by update rules only, which then call
  // MarkUpdated().
  virtual const torch::Tensor& flat() const = 0;

  // Says that flat() was written: a graph recorded before throws from now on,
  // instead of mixing weights of two versions.
  virtual void MarkUpdated() = 0;

  // Folds a pass's statistics into the buffers (definitions.md, section 6).
  // Those of a pass through this network; none is no change.
  virtual void Fold(const BatchStatistics& statistics) = 0;

  // The digest's lines for this stage (definitions.md, section 10).
  virtual std::vector<std::string> DigestLines() const = 0;

  // Without the gaps.
  virtual int64_t parameter_bytes() const = 0;
  virtual int64_t buffer_bytes() const = 0;
};

}  // namespace stagecoach
