#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "worker/stage/stage.h"

namespace stagecoach {

// Makes stages that compute with LibTorch. No torch in this header.
//
// Thread-safe.
class TorchStageFactory final : public StageFactory {
 public:
  absl::StatusOr<std::unique_ptr<Stage>> Create(
      const StageOptions& options, PassObserver& observer) override;
};

}  // namespace stagecoach
