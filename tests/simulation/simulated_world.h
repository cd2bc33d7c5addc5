#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/metrics/metrics.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_executor.h"
#include "tests/fakes/fake_job_store.h"
#include "tests/fakes/fake_random.h"
#include "tests/simulation/simulated_coordinator.h"
#include "tests/simulation/simulated_worker.h"
#include "tests/support/temp_folder.h"
#include "worker/transport/in_process_network.h"

namespace stagecoach {

// A whole cluster in one thread and on one clock: the real coordinator, session
// and worker, with stages that only pretend to compute. One seed decides how
// long everything takes and thereby the order of everything; equal seeds give
// equal runs.
//
// Thread-confined.
class SimulatedWorld {
 public:
  SimulatedWorld(uint64_t seed, int workers);
  ~SimulatedWorld();

  JobId Submit(int64_t stages, int64_t epochs);
  JobStatus StatusOf(const JobId& job);

  // Lets time pass.
  void Pass(absl::Duration time) { common_.Advance(time); }

  // Lets time pass until the job has ended, at most ten minutes; or until it
  // has made `step` steps.
  JobStatus RunToEnd(const JobId& job);
  JobStatus RunToStep(const JobId& job, int64_t step);

  // As kill -9. A worker comes back as a new incarnation.
  void KillWorker(int worker);
  void StartWorker(int worker);
  void KillCoordinator();
  void StartCoordinator();

  // The worker's connection to the coordinator breaks; both are well.
  void BreakSession(int worker);

  Random& random() { return random_; }
  SimulatedWorker& worker(int index) { return *workers_.at(index); }

 private:
  JobStatus RunUntil(const JobId& job,
                     const std::function<bool(const JobStatus&)>& enough);

  TempFolder data_;
  FakeClock clock_;
  FakeRandom random_;
  FakeExecutor common_{clock_};
  FakeJobStore store_;
  AlignedFrameMemory memory_;
  SimulatedExecutor wire_;  // of the links
  InProcessHub hub_;
  std::unique_ptr<SimulatedCoordinator> coordinator_;
  std::map<int, std::unique_ptr<SimulatedWorker>> workers_;
  // Killed processes stay in memory until the end: what is on its way to them
  // must find something that does not answer.
  std::vector<std::unique_ptr<SimulatedWorker>> dead_workers_;
  std::vector<std::unique_ptr<SimulatedCoordinator>> dead_coordinators_;
};

}  // namespace stagecoach
