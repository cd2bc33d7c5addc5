#pragma once

#include <memory>
#include <string>

#include "coordinator/coordinator.h"
#include "coordinator/job_store.h"
#include "core/metrics/metrics.h"
#include "tests/simulation/simulated_executor.h"
#include "worker/coordinator_stream.h"

namespace stagecoach {

// A coordinator process.
class SimulatedCoordinator {
 public:
  struct World {
    Executor& common;
    Clock& clock;
    SimulatedExecutor::Chance chance;
    JobStore& store;
  };

  explicit SimulatedCoordinator(const World& world);
  ~SimulatedCoordinator();

  Coordinator& operator*() { return *coordinator_; }
  Coordinator* operator->() { return coordinator_.get(); }

  bool alive() const { return *alive_; }
  void Kill() { *alive_ = false; }

 private:
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  Metrics metrics_;
  std::unique_ptr<SimulatedExecutor> executor_;
  std::unique_ptr<SimulatedExecutor> journal_;
  std::unique_ptr<Coordinator> coordinator_;
};

}  // namespace stagecoach
