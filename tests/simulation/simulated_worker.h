#pragma once

#include <memory>
#include <string>

#include "tests/fakes/fake_stage.h"
#include "tests/simulation/simulated_executor.h"
#include "tests/simulation/simulated_stream.h"
#include "worker/data_loader.h"
#include "worker/session.h"
#include "worker/transport/in_process_network.h"
#include "worker/worker.h"

namespace stagecoach {

// One life of a worker process.
class SimulatedWorker {
 public:
  struct World {
    Executor& common;
    const Clock& clock;
    SimulatedExecutor::Chance chance;
    InProcessHub& hub;
    std::function<SimulatedCoordinator*()> coordinator;
  };

  SimulatedWorker(const std::string& name, const World& world);
  ~SimulatedWorker();

  void Kill();
  void BreakSession();

  FakeStageFactory& stages() { return stages_; }

 private:
  std::unique_ptr<SimulatedExecutor> NewThread() const;

  const World world_;
  const std::string address_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  FakeStageFactory stages_;
  std::unique_ptr<LinkNetwork> network_;
  SimulatedDialer dialer_;
  std::unique_ptr<SimulatedExecutor> executor_;
  std::unique_ptr<SimulatedExecutor> slow_;
  DataLoader data_;
  std::unique_ptr<WorkerSession> session_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace stagecoach
