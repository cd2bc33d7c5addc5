#pragma once

#include "core/model/layer.h"

namespace stagecoach {

// A convolution over channels x height x width with a square kernel and zero
// padding (`conv`). The input's channels are inferred.
//
// Tensors: weight (channels x input channels / groups x kernel x kernel), bias
// (channels) unless `bias: false`.
const LayerType& ConvLayer();

}  // namespace stagecoach
