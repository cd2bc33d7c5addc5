#pragma once

#include "core/method/method.h"

namespace stagecoach {

// Diversely Stale Parameters (`dsp`; Xu, Huo, Huang, CVPR 2020): stage k
// forwards an item with the weights of m_k updates before the ones with which
// it recomputes and backpropagates it. All stages work at once.
//
// m_k - m_{k+1} splits into an activation queue p_k and a gradient queue
// q_{k+1}, both at least 0. The split is how the paper writes a pipeline; the
// result depends on m alone.
const Method& DspMethod();

}  // namespace stagecoach
