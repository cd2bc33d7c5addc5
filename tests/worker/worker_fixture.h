#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/session/plan.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_cluster.h"
#include "tests/fakes/fake_executor.h"
#include "tests/fakes/fake_stage.h"
#include "tests/fakes/forwarding_executor.h"
#include "tests/support/temp_folder.h"
#include "worker/transport/in_process_network.h"
#include "worker/worker.h"

namespace stagecoach {

// A worker on fakes, all on the test's thread.
class TestWorker {
 public:
  struct World {
    FakeExecutor& executor;
    const Clock& clock;
    InProcessHub& hub;
  };

  // With `gives_nothing_up` its stages never come to an end when stopped.
  TestWorker(const std::string& name, const World& world,
             Worker::Options options = {}, bool gives_nothing_up = false);

  const WorkerName& name() const { return options_.name; }
  Incarnation incarnation() const { return options_.incarnation; }
  std::string address() const { return options_.name.value() + ":7071"; }

  FakeCluster cluster;
  FakeStageFactory stages;
  std::vector<std::string> given_up;  // why

  Worker& worker() { return *worker_; }

 private:
  Worker::Options options_;
  ForwardingExecutor executor_;
  FakeClock stuck_clock_;
  FakeExecutor stuck_executor_{stuck_clock_};  // nobody runs it
  std::unique_ptr<LinkNetwork> network_;
  std::unique_ptr<DataLoader> data_;
  std::unique_ptr<Worker> worker_;
};

class WorkerFixture : public testing::Test {
 protected:
  WorkerFixture();

  // A plan of the tiny job; stage k at workers[k].
  Plan PlanFor(const std::vector<TestWorker*>& workers, int64_t generation = 1,
               const std::string& job = "job-1");

  void RunUntilIdle() { executor_.RunUntilIdle(); }
  void Advance(absl::Duration by) { executor_.Advance(by); }

  TempFolder folder_;
  FakeClock clock_;
  FakeExecutor executor_{clock_};
  AlignedFrameMemory memory_;
  InProcessHub hub_{executor_, memory_};
  TestWorker::World world_{executor_, clock_, hub_};
};

}  // namespace stagecoach
