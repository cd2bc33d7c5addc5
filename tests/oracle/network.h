#pragma once

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stagecoach::oracle {

// Section 9 of docs/definitions.md: the models, layer by layer.

struct Layer {
  enum class Kind {
    kConv,
    kBatchNorm,
    kRelu,
    kLinear,
    kFlatten,
    kAveragePool,
    kResidual,
  };
  Kind kind = Kind::kRelu;
  std::string name;  // its parameters are <name>.weight and so on
  int64_t inputs = 0;
  int64_t outputs = 0;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  bool bias = false;
  std::vector<Layer> body;      // of a residual layer
  std::vector<Layer> shortcut;  // of a residual layer; empty: the input itself
};

// The layers between two places where stages may be cut.
using Unit = std::vector<Layer>;

std::vector<Unit> Mlp(const std::vector<int64_t>& sizes);
std::vector<Unit> ResNet(int64_t depth, int64_t width, int64_t classes,
                         int64_t channels);

// One tensor of a model, in the order of the digest.
struct TensorSpec {
  std::string name;
  std::vector<int64_t> shape;
  bool is_buffer = false;
  int64_t fan_in = 0;  // 0: starts as `constant`
  float constant = 0;
  int64_t first = -1;  // number of its first element; -1 for buffers
};

std::vector<TensorSpec> SpecsOf(const std::vector<Unit>& units);

using Tensors = std::map<std::string, at::Tensor>;

// Parameters and buffers together; those with four dimensions in `format`.
Tensors InitialTensors(const std::vector<TensorSpec>& specs, uint64_t seed,
                       at::MemoryFormat format);

enum class Pass {
  kForward,   // by the batch's statistics, which are forgotten
  kRecord,    // by the batch's statistics, kept in `statistics`
  kEvaluate,  // by the buffers
};

// What the layer makes of `input`. Kept statistics get their buffers' names.
at::Tensor Apply(const Layer& layer, const at::Tensor& input,
                 const Tensors& tensors, Pass pass, Tensors* statistics);

at::Tensor Apply(const std::vector<Layer>& layers, at::Tensor input,
                 const Tensors& tensors, Pass pass, Tensors* statistics);

}  // namespace stagecoach::oracle
