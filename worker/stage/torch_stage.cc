#include "worker/stage/torch_stage.h"

#include <ATen/Parallel.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"
#include "worker/optimizer/optimizer.h"
#include "worker/stage/device.h"
#include "worker/stage/stage_runtime.h"
#include "worker/stage/torch_guard.h"

namespace stagecoach {
namespace {

absl::Status CheckOptions(const StageOptions& options) {
  const int stage = options.stage.value();
  if (stage < 0 || stage >= options.job->num_stages()) {
    return absl::InvalidArgumentError(
        absl::StrCat("stage ", stage, " does not exist; the job has ",
                     options.job->num_stages()));
  }
  if ((stage == 0) != (options.data != nullptr)) {
    return absl::InvalidArgumentError(
        "the first stage reads data, the others do not");
  }
  const StageMethod& method = options.job->stages[static_cast<size_t>(stage)];
  if (method.window > 0 && !method.recompute) {
    // Weights would change between the graph's forward and its backward.
    return absl::InvalidArgumentError(absl::StrCat(
        "stage ", stage, " would keep a graph across updates: a window of ",
        method.window, " needs recomputation"));
  }
  return absl::OkStatus();
}

template <typename T>
absl::StatusOr<T> Find(const NamedTable<T>& table, const std::string& name) {
  if (const T* found = table.Find(name)) return *found;
  return absl::InvalidArgumentError(
      absl::StrCat("this build of the worker does not know '", name, "'"));
}

std::unique_ptr<BatchLoader> MakeLoader(const StageOptions& options) {
  if (options.data == nullptr) return nullptr;
  const JobSpec& spec = options.job->spec;
  return std::make_unique<BatchLoader>(
      BatchLoader::Options{.source = options.data,
                           .seed = spec.seed,
                           .batch_size = spec.data.batch_size,
                           .channels_last = options.job->channels_last,
                           .augment = spec.data.augment});
}

absl::StatusOr<std::unique_ptr<Stage>> Make(const StageOptions& options,
                                            PassObserver& observer) {
  SC_RETURN_IF_ERROR(CheckOptions(options));
  // Filling the weights must not start a pool of its own.
  at::set_num_threads(static_cast<int>(options.job->spec.resources.threads));
  SC_ASSIGN_OR_RETURN(const torch::Device device, DeviceOf(options.device));
  if (device.is_cuda()) MakeCudaReproducible();
  const JobSpec& spec = options.job->spec;
  SC_ASSIGN_OR_RETURN(const MakeOptimizer make_optimizer,
                      Find(OptimizerMakers(), spec.optimizer.name));
  SC_ASSIGN_OR_RETURN(const MakeUpdateRule make_rule,
                      Find(UpdateRules(), spec.method.name));
  SC_ASSIGN_OR_RETURN(
      std::unique_ptr<Network> network,
      Network::Create(options.job->UnitsOf(options.stage.value()),
                      {.seed = spec.seed,
                       .channels_last = options.job->channels_last,
                       .device = device}));
  Network* const live = network.get();
  std::unique_ptr<Optimizer> optimizer =
      make_optimizer(spec.optimizer.parameters, *live);
  const int64_t optimizer_bytes = optimizer->state_bytes();
  return std::make_unique<TorchStage>(
      TorchStage::Parts{
          .place = {.job = options.job,
                    .id = options.id,
                    .generation = options.generation,
                    .stage = options.stage,
                    .device = device},
          .batches = MakeLoader(options),
          .rule = make_rule(spec.method.parameters, std::move(network),
                            std::move(optimizer)),
          .network = live,
          .optimizer_bytes = optimizer_bytes},
      observer);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Stage>> TorchStageFactory::Create(
    const StageOptions& options, PassObserver& observer) {
  std::unique_ptr<Stage> stage;
  SC_RETURN_IF_ERROR(GuardTorch([&]() -> absl::Status {
    SC_ASSIGN_OR_RETURN(stage, Make(options, observer));
    return absl::OkStatus();
  }));
  return stage;
}

}  // namespace stagecoach
