#pragma once

#include <torch/types.h>

#include <string>

#include "absl/status/statusor.h"

namespace stagecoach {

// "cpu", "cuda" or "cuda:1". kInvalidArgument when this build or this machine
// has no such device.
absl::StatusOr<torch::Device> DeviceOf(const std::string& name);

}  // namespace stagecoach
