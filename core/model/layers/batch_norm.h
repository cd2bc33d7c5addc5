#pragma once

#include "core/model/layer.h"

namespace stagecoach {

// Batch normalisation of channels (`batch_norm`; docs/definitions.md, section
// 6), over channels x height x width or over a list of features.
//
// Tensors: weight, bias; buffers: running_mean, running_var; one number for
// each channel.
const LayerType& BatchNormLayer();

}  // namespace stagecoach
