#include "worker/transport/grpc/convert_link.h"

#include <array>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

constexpr std::array<std::pair<DataType, v1::DataType>, 6> kDataTypes = {{
    {DataType::kUint8, v1::DATA_TYPE_UINT8},
    {DataType::kInt64, v1::DATA_TYPE_INT64},
    {DataType::kFloat32, v1::DATA_TYPE_FLOAT32},
    {DataType::kFloat64, v1::DATA_TYPE_FLOAT64},
    {DataType::kBfloat16, v1::DATA_TYPE_BFLOAT16},
    {DataType::kBool, v1::DATA_TYPE_BOOL},
}};

v1::TensorHeader ToProto(const TensorType& type) {
  v1::TensorHeader header;
  for (const auto& [ours, theirs] : kDataTypes) {
    if (ours == type.dtype) header.set_data_type(theirs);
  }
  header.mutable_shape()->Add(type.shape.begin(), type.shape.end());
  header.mutable_order()->Add(type.order.begin(), type.order.end());
  return header;
}

absl::StatusOr<TensorType> FromProto(const v1::TensorHeader& header) {
  TensorType type;
  type.shape.assign(header.shape().begin(), header.shape().end());
  type.order.assign(header.order().begin(), header.order().end());
  for (const auto& [ours, theirs] : kDataTypes) {
    if (theirs != header.data_type()) continue;
    type.dtype = ours;
    return type;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown data type ", header.data_type()));
}

absl::StatusOr<Frame> FromProto(const v1::ItemHeader& header, Lane lane) {
  Frame frame;
  frame.lane = lane;
  frame.item = ItemId(header.item());
  frame.generation = Generation(header.generation());
  frame.samples = header.samples();
  frame.counted = header.counted();
  for (const v1::TensorHeader& tensor : header.tensors()) {
    SC_ASSIGN_OR_RETURN(TensorType type, FromProto(tensor));
    frame.tensors.push_back({std::move(type), nullptr});
  }
  return frame;
}

}  // namespace

v1::LinkOffer ToProto(const LinkSpec& spec) {
  v1::LinkOffer offer;
  offer.set_protocol(kLinkProtocol);
  offer.set_job(spec.job.value());
  offer.set_generation(spec.generation.value());
  offer.set_lower_stage(spec.lower.value());
  offer.set_boundary_digest(spec.boundary_digest);
  offer.set_upward_training_items(spec.upward_items[0]);
  offer.set_upward_evaluation_items(spec.upward_items[1]);
  offer.set_downward_training_items(spec.downward_items[0]);
  offer.set_downward_evaluation_items(spec.downward_items[1]);
  offer.set_max_item_bytes(spec.max_item_bytes);
  return offer;
}

absl::StatusOr<LinkSpec> FromProto(const v1::LinkOffer& offer) {
  if (offer.protocol() != kLinkProtocol) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the lower stage's worker speaks version ", offer.protocol(),
        " of the links' protocol, this one version ", kLinkProtocol,
        "; run one build of Stagecoach on all workers"));
  }
  LinkSpec spec;
  spec.job = JobId(offer.job());
  spec.generation = Generation(offer.generation());
  spec.lower = StageIndex(offer.lower_stage());
  spec.boundary_digest = offer.boundary_digest();
  spec.upward_items = {offer.upward_training_items(),
                       offer.upward_evaluation_items()};
  spec.downward_items = {offer.downward_training_items(),
                         offer.downward_evaluation_items()};
  spec.max_item_bytes = offer.max_item_bytes();
  return spec;
}

v1::Lane ToProto(Lane lane) {
  return lane == Lane::kTraining ? v1::LANE_TRAINING : v1::LANE_EVALUATION;
}

absl::StatusOr<Lane> FromProto(v1::Lane lane) {
  if (lane == v1::LANE_TRAINING) return Lane::kTraining;
  if (lane == v1::LANE_EVALUATION) return Lane::kEvaluation;
  return absl::InvalidArgumentError(
      absl::StrCat("unknown lane ", static_cast<int>(lane)));
}

v1::ItemHeader HeaderOf(const Frame& frame) {
  v1::ItemHeader header;
  header.set_item(frame.item.value());
  header.set_generation(frame.generation.value());
  header.set_samples(frame.samples);
  header.set_counted(frame.counted);
  for (const TensorBytes& tensor : frame.tensors) {
    *header.add_tensors() = ToProto(tensor.type);
  }
  return header;
}

absl::StatusOr<ChunkHeader> FromProto(const v1::ItemChunk& chunk) {
  ChunkHeader header;
  SC_ASSIGN_OR_RETURN(header.lane, FromProto(chunk.lane()));
  header.sequence = chunk.sequence();
  header.offset = chunk.offset();
  if (chunk.has_header()) {
    SC_ASSIGN_OR_RETURN(header.frame, FromProto(chunk.header(), header.lane));
  }
  return header;
}

}  // namespace stagecoach
