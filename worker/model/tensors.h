#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/model/model.h"
#include "worker/model/network.h"

namespace stagecoach {

// The parameters and buffers of some layers, allocated and initialised.
//
// A parameter is a view of flat() that autograd takes for a leaf. It shares
// flat()'s version counter, so a graph recorded before an update refuses to run
// after it.
//
// Thread-confined: the stage thread.
class NetworkTensors {
 public:
  // `units` must outlive this object. Parameters are of float32 or float64.
  NetworkTensors(absl::Span<const PlacedLayer> units,
                 const NetworkOptions& options);

  // Of a tensor inside `units`, by its address.
  const torch::Tensor& Of(const PlacedTensor& tensor) const;

  const torch::Tensor& flat() const { return flat_; }

  // In model order.
  const std::vector<torch::Tensor>& parameters() const { return parameters_; }
  const std::vector<torch::Tensor>& buffers() const { return buffers_; }

  // docs/definitions.md, section 10.
  std::vector<std::string> DigestLines() const;

 private:
  std::vector<NamedTensor> named_;
  torch::Tensor flat_;
  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> buffers_;
  absl::flat_hash_map<const PlacedTensor*, torch::Tensor> by_place_;
};

}  // namespace stagecoach
