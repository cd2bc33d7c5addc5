#include "worker/worker.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"

namespace stagecoach {
namespace {

std::vector<StageIndex> StagesAt(const Plan& plan, const WorkerName& worker) {
  std::vector<StageIndex> stages;
  for (const StagePlace& place : plan.places) {
    if (place.worker == worker) stages.push_back(place.stage);
  }
  return stages;
}

bool Holds(const Plan& plan, const WorkerName& worker, StageIndex stage) {
  const std::vector<StageIndex> stages = StagesAt(plan, worker);
  return std::find(stages.begin(), stages.end(), stage) != stages.end();
}

absl::StatusOr<DataFacts> FactsOf(const DataLoader::Loaded& data) {
  if (!data.ok()) return data.status();
  return (*data)->facts();
}

Cause MakeCause(std::string kind, std::string text) {
  return {.kind = std::move(kind), .text = std::move(text)};
}

// Why a worker cannot run its stages of a plan. The coordinator checks it too,
// from what the worker said when it joined.
std::optional<Cause> ObstacleTo(const Plan& plan, const ResolvedJob& job,
                                const Worker::Options& worker) {
  const std::string& device = job.spec.resources.device;
  if (device != "cpu" && device != worker.device) {
    return MakeCause("invalid",
                     absl::StrCat("resources.device: ", device, ": worker ",
                                  worker.name.value(), " computes on ",
                                  worker.device, "; use cpu"));
  }
  int64_t needed = 0;
  for (const StageIndex stage : StagesAt(plan, worker.name)) {
    needed += MemoryOf(job, stage.value()).total();
  }
  if (worker.memory_bytes > 0 && needed > worker.memory_bytes) {
    return MakeCause(
        "memory", absl::StrCat("worker ", worker.name.value(), " has ",
                               worker.memory_bytes,
                               " bytes for stages, the plan needs ", needed));
  }
  return std::nullopt;
}

}  // namespace

Worker::Worker(Options options, Seams seams)
    : options_(std::move(options)), seams_(std::move(seams)) {
  seams_.run.report = [this](Report report) {
    seams_.cluster.Send(std::move(report));
  };
}

std::vector<RunningStage> Worker::Running() const {
  return run_ == nullptr ? std::vector<RunningStage>() : run_->Running();
}

void Worker::OnOrder(const Order& order) {
  std::visit([this](const auto& one) { Obey(one); }, order);
}

void Worker::Obey(const InspectData& order) {
  if (!fence_.Admit(order.job, order.generation)) return;
  seams_.data.Load(
      order.spec.data.source, [this, order](const DataLoader::Loaded& data) {
        seams_.cluster.Send(
            DataInspected{order.job, order.generation, FactsOf(data)});
      });
}

void Worker::Obey(const PrepareStages& order) {
  const Plan& plan = order.plan;
  if (!fence_.Admit(plan.job, plan.generation)) return;
  if (std::optional<Cause> cause = Refusal(plan)) {
    return Refuse(plan, *std::move(cause));
  }
  if (run_ == nullptr) return Prepare(plan);
  if (run_->plan().job == plan.job &&
      run_->plan().generation == plan.generation) {
    return;  // the order came twice
  }
  MakeRoomFor(plan);
}

std::optional<Cause> Worker::Refusal(const Plan& plan) const {
  const size_t stages = StagesAt(plan, options_.name).size();
  if (draining_) {
    return MakeCause(
        "worker_lost",
        absl::StrCat("worker ", options_.name.value(), " is shutting down"));
  }
  for (const StagePlace& place : plan.places) {
    if (place.worker == options_.name &&
        place.incarnation != options_.incarnation) {
      return MakeCause("worker_lost",
                       absl::StrCat("worker ", options_.name.value(),
                                    " was started again since the plan"));
    }
  }
  if (stages > static_cast<size_t>(options_.slots)) {
    return MakeCause("invalid",
                     absl::StrCat("worker ", options_.name.value(), " has ",
                                  options_.slots, " slots for ", stages,
                                  " stages; start it with --slots ", stages));
  }
  return std::nullopt;
}

// A run that is overtaken by a newer plan, or is on its way out, is waited
// for. Another job's run that nobody stopped is not touched.
void Worker::MakeRoomFor(const Plan& plan) {
  if (run_->plan().job != plan.job && !run_->stopping()) {
    return Refuse(plan, MakeCause("internal",
                                  absl::StrCat("worker ", options_.name.value(),
                                               " still runs ",
                                               run_->plan().job.value())));
  }
  next_ = plan;
  StopRun();
}

void Worker::Prepare(const Plan& plan) {
  absl::StatusOr<ResolvedJob> job = ResolveJob(plan.spec, plan.facts);
  if (!job.ok()) {
    return Refuse(plan,
                  MakeCause("invalid", std::string(job.status().message())));
  }
  if (std::optional<Cause> obstacle = ObstacleTo(plan, *job, options_)) {
    return Refuse(plan, *std::move(obstacle));
  }
  PrepareWith(plan, std::make_shared<const ResolvedJob>(*std::move(job)));
}

void Worker::PrepareWith(Plan plan, std::shared_ptr<const ResolvedJob> job) {
  const bool reads_data = Holds(plan, options_.name, StageIndex(0));
  const Choice source = plan.spec.data.source;
  run_ = std::make_unique<HostedRun>(std::move(plan), std::move(job),
                                     options_.name, seams_.run);
  ++runs_;
  ReportProgressLater();
  if (!reads_data) {
    seams_.data.Forget();
    return run_->Prepare(nullptr);
  }
  seams_.data.Load(source, [this, serial = runs_](DataLoader::Loaded data) {
    if (run_ == nullptr || serial != runs_ || run_->stopping()) return;
    if (data.ok()) return run_->Prepare(*data);
    Refuse(run_->plan(),
           MakeCause("data", std::string(data.status().message())));
  });
}

void Worker::Refuse(const Plan& plan, Cause cause) {
  seams_.cluster.Send(StageFailed{plan.job, plan.generation, std::move(cause)});
}

void Worker::Obey(const StartStages& order) {
  if (!fence_.Admit(order.job, order.generation)) return;
  if (run_ != nullptr && run_->plan().job == order.job &&
      run_->plan().generation == order.generation) {
    run_->Start();
  }
}

void Worker::Obey(const StopStages& order) {
  if (!fence_.Admit(order.job, order.generation)) return;
  const auto covers = [&order](const Plan& plan) {
    return plan.job == order.job && plan.generation <= order.generation;
  };
  if (next_.has_value() && covers(*next_)) next_.reset();
  if (run_ == nullptr || !covers(run_->plan())) {
    return seams_.cluster.Send(StagesStopped{order.job, order.generation});
  }
  stopping_.push_back(order);
  StopRun();
}

void Worker::StopRun() {
  if (run_->stopping()) return;
  last_ = run_->Moves();
  run_->Stop([this] { OnRunGone(); });
  seams_.run.stage.worker.PostAfter(
      options_.stop_timeout, [this, serial = runs_] {
        if (run_ == nullptr || serial != runs_) return;
        seams_.give_up(absl::StrCat(
            "stages of ", run_->plan().job.value(), " did not stop within ",
            absl::FormatDuration(options_.stop_timeout)));
      });
}

void Worker::OnRunGone() {
  run_.reset();
  seams_.data.Forget();
  for (const StopStages& order : std::exchange(stopping_, {})) {
    seams_.cluster.Send(StagesStopped{order.job, order.generation});
  }
  if (drained_ != nullptr) return std::exchange(drained_, nullptr)();
  if (!next_.has_value()) return;
  const Plan plan = *std::exchange(next_, std::nullopt);
  if (std::optional<Cause> cause = Refusal(plan)) {
    return Refuse(plan, *std::move(cause));
  }
  Prepare(plan);
}

void Worker::ReportProgress() {
  if (run_ == nullptr || run_->stopping()) return;
  run_->ReportProgress();
  ReportProgressLater();
}

void Worker::ReportProgressLater() {
  seams_.run.stage.worker.PostAfter(options_.progress_interval,
                                    [this, serial = runs_] {
                                      if (serial == runs_) ReportProgress();
                                    });
}

void Worker::Obey(const RequestFlightRecord& order) {
  for (FlightRecord& record : run_ == nullptr ? last_ : run_->Moves()) {
    if (record.job == order.job) seams_.cluster.Send(std::move(record));
  }
}

void Worker::Drain(absl::Duration patience, std::function<void()> drained) {
  draining_ = true;
  if (run_ == nullptr) return drained();
  drained_ = std::move(drained);
  seams_.run.stage.worker.PostAfter(patience, [this] {
    if (run_ != nullptr) StopRun();
  });
}

}  // namespace stagecoach
