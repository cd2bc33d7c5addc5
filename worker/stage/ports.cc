#include "worker/stage/ports.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/base/status_macros.h"
#include "worker/stage/boundary.h"
#include "worker/stage/tensor_codec.h"

namespace stagecoach {
namespace {

using Items = std::array<int64_t, kNumLanes>;

std::optional<LinkSpec> SpecOf(const StagePorts::Options& options, int lower) {
  if (lower < 0 || lower >= options.job->num_stages() - 1) return std::nullopt;
  return LinkSpecOf(*options.job, options.id, options.generation,
                    StageIndex(lower));
}

std::vector<TensorType> TypesOf(const Frame& frame) {
  std::vector<TensorType> types;
  for (const TensorBytes& tensor : frame.tensors) types.push_back(tensor.type);
  return types;
}

std::string Described(const std::vector<TensorType>& types) {
  const auto describe = [](std::string* out, const TensorType& type) {
    absl::StrAppend(out, NameOf(type.dtype), " ", ToString(type.shape),
                    " order ", absl::StrJoin(type.order, ","));
  };
  return absl::StrCat("(", absl::StrJoin(types, "; ", describe), ")");
}

absl::Status CheckTensors(const Frame& frame,
                          const std::vector<TensorType>& expected) {
  const std::vector<TensorType> types = TypesOf(frame);
  if (types == expected) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("item ", frame.item.value(),
                                          " should be ", Described(expected),
                                          " but is ", Described(types)));
}

TensorType TargetsType(int64_t samples) {
  return {.dtype = DataType::kInt64, .shape = {samples}, .order = RowMajor(1)};
}

}  // namespace

StagePorts::StagePorts(const Options& options)
    : options_(options),
      below_(SpecOf(options, options.stage.value() - 1)),
      above_(SpecOf(options, options.stage.value())),
      from_below_(below_ ? below_->upward_items : Items{}),
      from_above_(above_ ? above_->downward_items : Items{}) {}

void StagePorts::SetWaker(const std::function<void()>& waker) {
  from_below_.SetWaker(waker);
  from_above_.SetWaker(waker);
}

void StagePorts::Attach(Link* below, Link* above) {
  below_link_ = below;
  above_link_ = above;
  down_.Attach(below);
  up_.Attach(above);
}

absl::Status StagePorts::Flush() {
  SC_RETURN_IF_ERROR(down_.Flush());
  return up_.Flush();
}

absl::StatusOr<std::optional<Frame>> StagePorts::Take(Inbox& inbox, Link* link,
                                                      Lane lane, ItemId item) {
  SC_ASSIGN_OR_RETURN(std::optional<Frame> frame, inbox.Take(lane, item));
  if (frame.has_value()) link->Consumed(lane);
  return frame;
}

absl::StatusOr<std::optional<StageInput>> StagePorts::TakeInput(Lane lane,
                                                                ItemId item) {
  SC_ASSIGN_OR_RETURN(const std::optional<Frame> frame,
                      Take(from_below_, below_link_, lane, item));
  if (!frame.has_value()) return std::nullopt;
  const TensorType type =
      Boundary(StageIndex(options_.stage.value() - 1), lane, item);
  SC_RETURN_IF_ERROR(
      CheckTensors(*frame, {type, TargetsType(type.shape.front())}));
  return StageInput{
      .activations = FromBytes(frame->tensors[0]).to(options_.device),
      .targets = FromBytes(frame->tensors[1]).to(options_.device)};
}

absl::StatusOr<std::optional<torch::Tensor>> StagePorts::TakeGradient(
    ItemId item) {
  SC_ASSIGN_OR_RETURN(const std::optional<Frame> frame,
                      Take(from_above_, above_link_, Lane::kTraining, item));
  if (!frame.has_value()) return std::nullopt;
  SC_RETURN_IF_ERROR(
      CheckTensors(*frame, {Boundary(options_.stage, Lane::kTraining, item)}));
  return FromBytes(frame->tensors[0]).to(options_.device);
}

absl::Status StagePorts::SendUp(Lane lane, ItemId item,
                                const torch::Tensor& output,
                                const torch::Tensor& targets) {
  const TensorType type = Boundary(options_.stage, lane, item);
  Frame frame = EmptyFrame(lane, item);
  frame.tensors = {ToBytes(LaidOut(output, type.order), type.order),
                   ToBytes(targets, RowMajor(1))};
  SC_RETURN_IF_ERROR(CheckTensors(frame, {type, TargetsType(frame.samples)}));
  return up_.Send(std::move(frame));
}

absl::Status StagePorts::SendDown(ItemId item, const torch::Tensor& gradient) {
  const TensorType type =
      Boundary(StageIndex(options_.stage.value() - 1), Lane::kTraining, item);
  Frame frame = EmptyFrame(Lane::kTraining, item);
  frame.tensors = {ToBytes(LaidOut(gradient, type.order), type.order)};
  SC_RETURN_IF_ERROR(CheckTensors(frame, {type}));
  return down_.Send(std::move(frame));
}

Frame StagePorts::EmptyFrame(Lane lane, ItemId item) const {
  const int64_t samples = SamplesOf(*options_.job, lane, item);
  return {.lane = lane,
          .item = item,
          .generation = options_.generation,
          .samples = samples,
          .counted = samples,
          .tensors = {}};
}

TensorType StagePorts::Boundary(StageIndex lower, Lane lane,
                                ItemId item) const {
  return BoundaryType(*options_.job, lower,
                      SamplesOf(*options_.job, lane, item));
}

}  // namespace stagecoach
