#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/simulation/simulated_coordinator.h"
#include "tests/simulation/simulated_executor.h"
#include "worker/coordinator_stream.h"

namespace stagecoach {

// A worker's connections to the coordinator that is there at the time: both
// ends' words arrive in order, after a while, and not at all once it broke.
//
// Thread-confined.
class SimulatedDialer final : public CoordinatorDialer {
 public:
  struct World {
    Executor& common;
    const Clock& clock;
    SimulatedExecutor::Chance chance;
    // Null while there is none.
    std::function<SimulatedCoordinator*()> coordinator;
  };

  explicit SimulatedDialer(World world) : world_(std::move(world)) {}

  std::shared_ptr<CoordinatorStream> Open(CoordinatorEvents events) override;
  std::string peer() const override { return "the simulated coordinator"; }

  // Breaks the connection that there is, with this error for the worker.
  void Break(const absl::Status& why);

 private:
  class Stream;

  const World world_;
  std::weak_ptr<Stream> newest_;
};

}  // namespace stagecoach
