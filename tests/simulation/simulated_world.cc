#include "tests/simulation/simulated_world.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/log/log.h"
#include "tests/support/tiny_job.h"

namespace stagecoach {
namespace {

constexpr absl::Duration kLongestDelay = absl::Milliseconds(5);

}  // namespace

SimulatedWorld::SimulatedWorld(uint64_t seed, int workers)
    : random_(seed),
      wire_(common_, clock_, {random_, kLongestDelay},
            std::make_shared<bool>(true)),
      hub_(wire_, memory_) {
  SetLogLevel(LogLevel::kError);
  WriteTinyData(data_.path());
  StartCoordinator();
  for (int worker = 0; worker < workers; ++worker) StartWorker(worker);
  Pass(absl::Seconds(1));  // all are there
}

// What is on its way arrives before anything goes.
SimulatedWorld::~SimulatedWorld() {
  while (!workers_.empty()) KillWorker(workers_.begin()->first);
  KillCoordinator();
  common_.Advance(absl::Minutes(30));
}

void SimulatedWorld::StartWorker(int worker) {
  workers_[worker] = std::make_unique<SimulatedWorker>(
      absl::StrCat("worker-", worker),
      SimulatedWorker::World{
          .common = common_,
          .clock = clock_,
          .chance = {random_, kLongestDelay},
          .hub = hub_,
          .coordinator = [this] { return coordinator_.get(); }});
}

void SimulatedWorld::KillWorker(int worker) {
  workers_.at(worker)->Kill();
  dead_workers_.push_back(std::move(workers_.at(worker)));
  workers_.erase(worker);
}

void SimulatedWorld::StartCoordinator() {
  coordinator_ = std::make_unique<SimulatedCoordinator>(
      SimulatedCoordinator::World{.common = common_,
                                  .clock = clock_,
                                  .chance = {random_, kLongestDelay},
                                  .store = store_});
}

void SimulatedWorld::KillCoordinator() {
  if (coordinator_ == nullptr) return;
  coordinator_->Kill();
  dead_coordinators_.push_back(std::move(coordinator_));
  for (auto& [index, worker] : workers_) worker->BreakSession();
}

void SimulatedWorld::BreakSession(int worker) {
  workers_.at(worker)->BreakSession();
}

JobId SimulatedWorld::Submit(int64_t stages, int64_t epochs) {
  std::optional<absl::StatusOr<JobStatus>> answer;
  (*coordinator_)
      ->Submit(TinySpec(data_.path(), stages, epochs), /*key=*/"",
               [&answer](absl::StatusOr<JobStatus> job) {
                 answer = std::move(job);
               });
  for (int i = 0; i < 1000 && !answer.has_value(); ++i) {
    Pass(absl::Milliseconds(1));
  }
  SC_CHECK(answer.has_value() && answer->ok(), "the job is accepted");
  return (*answer)->id;
}

JobStatus SimulatedWorld::StatusOf(const JobId& job) {
  const auto description = (*coordinator_)->Describe(job);
  SC_CHECK(description.ok(), "the coordinator remembers its jobs");
  return description->status;
}

JobStatus SimulatedWorld::RunUntil(
    const JobId& job, const std::function<bool(const JobStatus&)>& enough) {
  const absl::Duration end = clock_.Now() + absl::Minutes(10);
  while (clock_.Now() < end) {
    JobStatus status = StatusOf(job);
    if (IsFinal(status.state) || enough(status)) return status;
    Pass(absl::Milliseconds(20));
  }
  return StatusOf(job);
}

JobStatus SimulatedWorld::RunToEnd(const JobId& job) {
  return RunUntil(job, [](const JobStatus&) { return false; });
}

JobStatus SimulatedWorld::RunToStep(const JobId& job, int64_t step) {
  return RunUntil(
      job, [step](const JobStatus& status) { return status.step >= step; });
}

}  // namespace stagecoach
