#include "worker/stage/device.h"

#include <ATen/Context.h>
#include <torch/cuda.h>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace stagecoach {
namespace {

absl::Status NoSuchDevice(const std::string& name, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("device '", name, "' ", why));
}

}  // namespace

absl::StatusOr<torch::Device> DeviceOf(const std::string& name) {
  if (name == "cpu") return torch::Device(torch::kCPU);
  absl::string_view rest = name;
  int index = 0;
  if (!absl::ConsumePrefix(&rest, "cuda") ||
      !(rest.empty() ||
        (absl::ConsumePrefix(&rest, ":") && absl::SimpleAtoi(rest, &index)))) {
    return NoSuchDevice(name, "is unknown; there are cpu, cuda and cuda:N");
  }
  const int count = static_cast<int>(torch::cuda::device_count());
  if (index < 0 || index >= count) {
    return NoSuchDevice(
        name, absl::StrCat("does not exist here; CUDA devices: ", count));
  }
  return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(index));
}

void MakeCudaReproducible() {
  at::Context& context = at::globalContext();
  context.setDeterministicCuDNN(true);
  context.setBenchmarkCuDNN(false);
  context.setAllowTF32CuDNN(false);
  context.setAllowTF32CuBLAS(false);
}

}  // namespace stagecoach
