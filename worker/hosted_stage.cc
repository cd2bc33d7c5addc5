#include "worker/hosted_stage.h"

#include <utility>

#include "core/base/allocator.h"

namespace stagecoach {
namespace {

// The stage above may wait for slower workers to prepare theirs; the one below
// connects when all have.
constexpr absl::Duration kExpectTimeout = absl::Minutes(15);
constexpr absl::Duration kConnectTimeout = absl::Seconds(30);

}  // namespace

class HostedStage::Messenger final : public PassObserver {
 public:
  explicit Messenger(HostedStage& stage) : stage_(stage) {}

  void OnPassBegin(Pass, ItemId) override {}
  void OnPassEnd(Pass, ItemId) override {}
  void OnUpdate(const UpdateRecord&) override {}
  void OnEvaluation(const Evaluation& evaluation) override {
    stage_.Tell([evaluation](HostedStageListener& listener) {
      listener.OnEvaluated(evaluation);
    });
  }

 private:
  HostedStage& stage_;
};

HostedStage::HostedStage(StageOptions options, const WorkerName& worker,
                         const Seams& seams, std::unique_ptr<Executor> thread,
                         std::unique_ptr<StageWatch> watch,
                         HostedStageListener& listener)
    : options_(std::move(options)),
      seams_(seams),
      listener_(listener),
      meter_(options_.job, options_.stage, worker, seams.clock),
      recorder_(options_.stage, seams.clock),
      messenger_(std::make_unique<Messenger>(*this)),
      watch_(std::move(watch)),
      observers_(Observers()),
      thread_(std::move(thread)) {}

std::vector<PassObserver*> HostedStage::Observers() {
  std::vector<PassObserver*> observers = {&meter_, &recorder_,
                                          messenger_.get()};
  if (watch_ != nullptr) observers.push_back(watch_.get());
  return observers;
}

void HostedStage::Create() {
  thread_->Post([this] {
    const absl::Status status = CreateHere();
    Tell([this, status](HostedStageListener& listener) {
      created_ = status.ok();
      listener.OnCreated(options_.stage, status);
    });
  });
}

absl::Status HostedStage::CreateHere() {
  auto stage = seams_.factory.Create(options_, observers_);
  if (!stage.ok()) return stage.status();
  stage_ = *std::move(stage);
  runner_ = std::make_unique<StageRunner>(
      *stage_, *thread_,
      [this](const absl::Status& status) { OnRunnerDone(status); });
  return absl::OkStatus();
}

void HostedStage::OnRunnerDone(const absl::Status& status) {
  auto digest = status.ok() ? stage_->DigestLines() : status;
  Tell([this, digest = std::move(digest)](HostedStageListener& listener) {
    listener.OnEnded(options_.stage, digest);
  });
}

void HostedStage::Tell(std::function<void(HostedStageListener&)> what) {
  seams_.worker.Post([weak = weak_from_this(), what = std::move(what)] {
    const std::shared_ptr<HostedStage> self = weak.lock();
    if (self != nullptr && !self->stopped_) what(self->listener_);
  });
}

void HostedStage::ExpectBelow(LinkNetwork& network) {
  network.Expect(*stage_->below(), stage_->from_below(), kExpectTimeout,
                 KeepAs(&HostedStage::below_));
}

void HostedStage::ConnectAbove(LinkNetwork& network,
                               const std::string& address) {
  network.Connect(*stage_->above(), address, stage_->from_above(),
                  kConnectTimeout, KeepAs(&HostedStage::above_));
}

// The link calls the stage's receiver from its birth on, so the stage is kept
// until every link that it was promised has come back.
LinkNetwork::Done HostedStage::KeepAs(End end) {
  ++awaited_links_;
  return [self = shared_from_this(),
          end](absl::StatusOr<std::unique_ptr<Link>> link) {
    auto result = std::make_shared<absl::StatusOr<std::unique_ptr<Link>>>(
        std::move(link));
    self->seams_.worker.Post(
        [self, end, result] { self->OnLink(end, *result); });
  };
}

void HostedStage::OnLink(End end, absl::StatusOr<std::unique_ptr<Link>>& link) {
  --awaited_links_;
  const absl::Status status = link.status();
  if (link.ok()) this->*end = *std::move(link);
  if (stopped_) return GiveUpOnceLinksAreSettled();
  listener_.OnLinked(options_.stage, status);
}

bool HostedStage::linked() const {
  return created_ && (stage_->below() == nullptr) == (below_ == nullptr) &&
         (stage_->above() == nullptr) == (above_ == nullptr);
}

void HostedStage::Start() {
  meter_.Start();
  thread_->Post([this] {
    stage_->Attach(below_.get(), above_.get());
    runner_->Start();
  });
}

void HostedStage::Stop(std::function<void()> gone) {
  stopped_ = true;
  gone_ = std::move(gone);
  if (created_) runner_->Stop();
  GiveUpOnceLinksAreSettled();
}

// Closed links wake the stage no more; then the thread can go, which waits for
// the pass that runs.
void HostedStage::GiveUpOnceLinksAreSettled() {
  if (awaited_links_ > 0) return;
  seams_.slow.Post([self = shared_from_this()] {
    if (self->above_ != nullptr) self->above_->Close();
    if (self->below_ != nullptr) self->below_->Close();
    self->thread_.reset();
    self->above_.reset();
    self->below_.reset();
    self->runner_.reset();
    self->stage_.reset();
    ReleaseHeap();
    self->seams_.worker.Post(std::exchange(self->gone_, nullptr));
  });
}

StageStatus HostedStage::Status() const {
  StageStatus status = meter_.Status();
  if (created_ && !stopped_) {
    status.parameters = stage_->parameter_elements();
    status.peak_memory_bytes = stage_->peak_memory_bytes();
  }
  return status;
}

void HostedStage::ShowStatus() const {
  if (watch_ == nullptr || stopped_) return;
  const auto traffic = [](const std::unique_ptr<Link>& link) {
    return link == nullptr ? Link::Traffic() : link->traffic();
  };
  watch_->Show(Status(), traffic(below_), traffic(above_));
}

}  // namespace stagecoach
