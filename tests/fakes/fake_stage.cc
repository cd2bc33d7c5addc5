#include "tests/fakes/fake_stage.h"

#include <cstring>
#include <deque>
#include <optional>

#include "absl/strings/str_cat.h"
#include "core/method/method.h"
#include "core/method/schedule.h"

namespace stagecoach {
namespace {

using Number = uint64_t;

// Order matters, and so does every bit (splitmix64's finaliser).
Number Mix(Number a, Number b) {
  Number mixed = a * 0x9E3779B97F4A7C15 + b + 1;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

Frame FrameOf(const StageOptions& options, int64_t item, Number number) {
  Frame frame{.item = ItemId(item), .generation = options.generation};
  TensorBytes& tensor = frame.tensors.emplace_back();
  tensor.type.dtype = DataType::kInt64;
  tensor.type.shape = {1};
  tensor.type.order = RowMajor(1);
  tensor.data = AllocateAligned(sizeof(Number));
  std::memcpy(tensor.data.get(), &number, sizeof(number));
  return frame;
}

Number NumberIn(const Frame& frame) {
  Number number = 0;
  std::memcpy(&number, frame.tensors.front().data.get(), sizeof(number));
  return number;
}

// What one link delivers, until the stage takes it.
//
// Thread-safe.
class Inbox final : public FrameReceiver {
 public:
  void OnFrame(Frame frame) override {
    {
      const MutexLock lock(mutex_);
      frames_.push_back(std::move(frame));
    }
    Wake();
  }
  void OnWritable(Lane) override { Wake(); }
  void OnPeerLost(absl::Status why) override {
    {
      const MutexLock lock(mutex_);
      lost_ = std::move(why);
    }
    Wake();
  }

  void SetWaker(std::function<void()> waker) { waker_ = std::move(waker); }

  // None: not yet. kUnavailable: it will never come.
  absl::StatusOr<std::optional<Frame>> Take() {
    const MutexLock lock(mutex_);
    if (frames_.empty()) {
      if (!lost_.ok()) return lost_;
      return std::nullopt;
    }
    Frame frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }

 private:
  void Wake() {
    if (waker_ != nullptr) waker_();
  }

  std::function<void()> waker_;
  Mutex mutex_;
  std::deque<Frame> frames_ ABSL_GUARDED_BY(mutex_);
  absl::Status lost_ ABSL_GUARDED_BY(mutex_);
};

LinkSpec SpecBetween(const StageOptions& options, int lower) {
  const int64_t items = LinkItems(options.job->stages, lower);
  return {.job = options.id,
          .generation = options.generation,
          .lower = StageIndex(lower),
          .boundary_digest = "one number",
          .upward_items = {items, 2},
          .downward_items = {items, 0},
          .max_item_bytes = sizeof(Number)};
}

}  // namespace

class FakeStageFactory::FakeStage final : public Stage {
 public:
  FakeStage(FakeStageFactory& factory, const StageOptions& options,
            PassObserver& observer)
      : factory_(factory),
        options_(options),
        observer_(observer),
        index_(options.stage.value()),
        schedule_(options.job->ScheduleOf(index_)),
        weights_(Mix(options.job->spec.seed, static_cast<Number>(index_))) {
    if (index_ > 0) below_spec_ = SpecBetween(options, index_ - 1);
    if (!last()) above_spec_ = SpecBetween(options, index_);
    factory_.Count(1);
  }
  ~FakeStage() override { factory_.Count(-1); }

  const LinkSpec* below() const override {
    return below_spec_.has_value() ? &*below_spec_ : nullptr;
  }
  const LinkSpec* above() const override {
    return above_spec_.has_value() ? &*above_spec_ : nullptr;
  }
  FrameReceiver& from_below() override { return from_below_; }
  FrameReceiver& from_above() override { return from_above_; }
  void SetWaker(std::function<void()> waker) override {
    from_below_.SetWaker(waker);
    from_above_.SetWaker(waker);
  }
  void Attach(Link* below, Link* above) override {
    below_ = below;
    above_ = above;
  }

  absl::StatusOr<StepResult> Step() override {
    factory_.RunHook(options_.stage);
    if (unsent_.has_value()) return SendAgain();
    switch (NextMove(schedule_, progress_)) {
      case Move::kForward:
        return Forward();
      case Move::kBackward:
        return Backward();
      case Move::kFinished:
        return StepResult{StepResult::Kind::kFinished};
    }
    return absl::InternalError("no such move");
  }

  int64_t version() const override { return progress_.backwards; }
  int64_t applied() const override { return progress_.backwards; }
  int64_t parameter_elements() const override { return 1; }
  int64_t peak_memory_bytes() const override { return sizeof(weights_); }
  absl::StatusOr<std::vector<std::string>> DigestLines() const override {
    return std::vector<std::string>{
        absl::StrCat("stage", index_, " int64 scalar ", absl::Hex(weights_))};
  }

 private:
  struct Stored {
    Number input;
    int64_t version;
  };

  bool last() const { return index_ + 1 == options_.job->num_stages(); }

  StepResult Waits(WaitReason reason) {
    observer_.OnWait(reason);
    return {StepResult::Kind::kWaiting, reason};
  }

  absl::StatusOr<StepResult> Forward() {
    const int64_t item = progress_.forwards;
    Number input = static_cast<Number>(item);
    if (index_ > 0) {
      auto frame = from_below_.Take();
      if (!frame.ok()) return frame.status();
      if (!frame->has_value()) return Waits(WaitReason::kInput);
      input = NumberIn(**frame);
      below_->Consumed(Lane::kTraining);
    }
    observer_.OnPassBegin(Pass::kForward, ItemId(item));
    stored_.push_back({input, version()});
    ++progress_.forwards;
    observer_.OnPassEnd(Pass::kForward, ItemId(item));
    if (last()) return StepResult{};
    return Send(above_, FrameOf(options_, item, Mix(weights_, input)));
  }

  absl::StatusOr<StepResult> Backward() {
    const int64_t item = progress_.backwards;
    Number gradient = Mix(weights_, stored_.front().input);
    if (!last()) {
      auto frame = from_above_.Take();
      if (!frame.ok()) return frame.status();
      if (!frame->has_value()) return Waits(WaitReason::kGradient);
      gradient = NumberIn(**frame);
      above_->Consumed(Lane::kTraining);
    }
    const absl::Status failure =
        factory_.TakeFailure(options_.stage, ItemId(item));
    if (!failure.ok()) return failure;
    const Number downward = Mix(gradient, stored_.front().input);
    Update(item, gradient);
    if (index_ == 0) return StepResult{};
    return Send(below_, FrameOf(options_, item, downward));
  }

  void Update(int64_t item, Number gradient) {
    observer_.OnPassBegin(Pass::kBackward, ItemId(item));
    weights_ = Mix(weights_, Mix(gradient, stored_.front().input));
    const UpdateRecord record{
        .item = ItemId(item),
        .forward_version = stored_.front().version,
        .backward_version = version(),
        .staleness = version() - stored_.front().version,
        .stored_inputs = static_cast<int64_t>(stored_.size()),
        .samples = options_.job->spec.data.batch_size};
    stored_.pop_front();
    ++progress_.backwards;
    observer_.OnPassEnd(Pass::kBackward, ItemId(item));
    observer_.OnUpdate(record);
    if (last() && options_.job->EvaluatesAt(version())) {
      observer_.OnEvaluation(
          {.version = version(), .accuracy = 0.5, .samples = 1});
    }
  }

  absl::StatusOr<StepResult> Send(Link* link, Frame frame) {
    unsent_.emplace(link, std::move(frame));
    return SendAgain();
  }

  absl::StatusOr<StepResult> SendAgain() {
    const absl::Status sent = unsent_->first->Send(unsent_->second);
    if (absl::IsResourceExhausted(sent)) return Waits(WaitReason::kCredit);
    if (!sent.ok()) return sent;
    unsent_.reset();
    return StepResult{};
  }

  FakeStageFactory& factory_;
  const StageOptions options_;
  PassObserver& observer_;
  const int index_;
  const Schedule schedule_;
  std::optional<LinkSpec> below_spec_;
  std::optional<LinkSpec> above_spec_;
  Inbox from_below_;
  Inbox from_above_;
  Link* below_ = nullptr;
  Link* above_ = nullptr;
  Progress progress_;
  std::deque<Stored> stored_;
  std::optional<std::pair<Link*, Frame>> unsent_;
  Number weights_;
};

absl::StatusOr<std::unique_ptr<Stage>> FakeStageFactory::Create(
    const StageOptions& options, PassObserver& observer) {
  {
    const MutexLock lock(mutex_);
    last_device_ = options.device;
    const auto failing = creation_.find(options.stage);
    if (failing != creation_.end() && !failing->second.ok()) {
      return failing->second;
    }
  }
  return std::make_unique<FakeStage>(*this, options, observer);
}

std::string FakeStageFactory::last_device() const {
  const MutexLock lock(mutex_);
  return last_device_;
}

void FakeStageFactory::FailCreation(StageIndex stage, absl::Status error) {
  const MutexLock lock(mutex_);
  creation_[stage] = std::move(error);
}

void FakeStageFactory::FailAt(StageIndex stage, ItemId item,
                              absl::Status error) {
  const MutexLock lock(mutex_);
  failures_[{stage, item}] = std::move(error);
}

void FakeStageFactory::OnStep(std::function<void(StageIndex)> hook) {
  const MutexLock lock(mutex_);
  hook_ = std::move(hook);
}

int FakeStageFactory::alive() const {
  const MutexLock lock(mutex_);
  return alive_;
}

absl::Status FakeStageFactory::TakeFailure(StageIndex stage, ItemId item) {
  const MutexLock lock(mutex_);
  const auto found = failures_.find({stage, item});
  if (found == failures_.end()) return absl::OkStatus();
  absl::Status failure = std::move(found->second);
  failures_.erase(found);
  return failure;
}

void FakeStageFactory::RunHook(StageIndex stage) const {
  std::function<void(StageIndex)> hook;
  {
    const MutexLock lock(mutex_);
    hook = hook_;
  }
  if (hook != nullptr) hook(stage);
}

void FakeStageFactory::Count(int change) {
  const MutexLock lock(mutex_);
  alive_ += change;
}

}  // namespace stagecoach
