#pragma once

#include <torch/types.h>

#include <string>

#include "absl/status/statusor.h"

namespace stagecoach {

// "cpu", "cuda" or "cuda:1". kInvalidArgument when this build or this machine
// has no such device.
absl::StatusOr<torch::Device> DeviceOf(const std::string& name);

// From now on, in the whole process, CUDA computes the same bits each time,
// and all of float32's: no TensorFloat-32, no choice of kernels by trial.
void MakeCudaReproducible();

}  // namespace stagecoach
