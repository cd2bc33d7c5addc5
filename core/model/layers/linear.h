#pragma once

#include "core/model/layer.h"

namespace stagecoach {

// A matrix product with a bias over a list of features (`linear`). The input's
// features are inferred.
//
// Tensors: weight (features x input features), bias (features) unless
// `bias: false`.
const LayerType& LinearLayer();

}  // namespace stagecoach
