#pragma once

#include <torch/types.h>

#include "core/base/tensor_bytes.h"

namespace stagecoach {

// Tensors of torch and tensors without it, sharing memory both ways: nothing
// is copied on a CPU, and neither side may write afterwards.

torch::ScalarType ScalarTypeOf(DataType type);

// The tensor itself where it lies densely in this order, else a copy that does.
torch::Tensor LaidOut(const torch::Tensor& tensor, const DimensionOrder& order);

// `tensor` lies densely in `order`. Keeps its memory alive, but no graph.
// Memory of another device is copied.
TensorBytes ToBytes(const torch::Tensor& tensor, const DimensionOrder& order);

// On the CPU. The tensor keeps the bytes alive. Its strides follow from the
// order alone, those of dimensions of size 1 too: kernels may look at them.
torch::Tensor FromBytes(const TensorBytes& bytes);

}  // namespace stagecoach
