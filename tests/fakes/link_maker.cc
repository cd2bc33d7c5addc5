#include "tests/fakes/link_maker.h"

#include <utility>

namespace stagecoach {

LinkNetwork::Done LinkAnswer::done() {
  return [state = state_](absl::StatusOr<std::unique_ptr<Link>> answer) {
    const MutexLock lock(state->mutex);
    state->answer = std::move(answer);
    ++state->answers;
  };
}

absl::StatusOr<std::unique_ptr<Link>> LinkAnswer::Take() {
  State& state = *state_;
  const MutexLock lock(state.mutex);
  const auto answered = [&state]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(state.mutex) {
    return state.answer.has_value();
  };
  if (!state.mutex.AwaitWithTimeout(absl::Condition(&answered),
                                    absl::Seconds(30))) {
    return absl::DeadlineExceededError("no answer");
  }
  return *std::exchange(state.answer, std::nullopt);
}

int LinkAnswer::answers() const {
  const MutexLock lock(state_->mutex);
  return state_->answers;
}

LinkSpec SampleLinkSpec() {
  LinkSpec spec;
  spec.job = JobId("job");
  spec.generation = Generation(3);
  spec.lower = StageIndex(0);
  spec.boundary_digest = "float32 16 with gradient";
  spec.upward_items = {4, 2};
  spec.downward_items = {4, 0};
  spec.max_item_bytes = int64_t{64} << 20;
  return spec;
}

Frame SampleFrame(int64_t item, int64_t elements, Lane lane) {
  const TensorType type{DataType::kFloat32, {elements}, RowMajor(1)};
  TensorBytes tensor{type, AllocateAligned(type.bytes())};
  auto* values = reinterpret_cast<float*>(tensor.data.get());
  for (int64_t i = 0; i < elements; ++i) {
    values[i] = static_cast<float>(item + i);
  }
  Frame frame;
  frame.lane = lane;
  frame.item = ItemId(item);
  frame.generation = Generation(3);
  frame.samples = elements;
  frame.counted = elements;
  frame.tensors.push_back(std::move(tensor));
  return frame;
}

TensorBytes PatternTensor(const TensorType& type, int salt) {
  TensorBytes tensor{type, AllocateAligned(type.bytes())};
  for (int64_t i = 0; i < type.bytes(); ++i) {
    tensor.data.get()[i] = static_cast<std::byte>((i * 31 + salt) % 256);
  }
  return tensor;
}

}  // namespace stagecoach
