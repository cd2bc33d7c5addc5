#pragma once

#include "absl/status/statusor.h"
#include "stagecoach/v1/data_plane.pb.h"
#include "worker/transport/frame.h"
#include "worker/transport/frame_assembler.h"
#include "worker/transport/link.h"

namespace stagecoach {

// The link's values as messages, and back. What comes back is of known types;
// whether it suits the link is for others to check. kInvalidArgument: an
// unknown lane, data type or protocol.

inline constexpr int kLinkProtocol = 1;

v1::LinkOffer ToProto(const LinkSpec& spec);
absl::StatusOr<LinkSpec> FromProto(const v1::LinkOffer& offer);

v1::Lane ToProto(Lane lane);
absl::StatusOr<Lane> FromProto(v1::Lane lane);

// Of the frame's first chunk, all but the lane and the tensors' bytes.
v1::ItemHeader HeaderOf(const Frame& frame);
absl::StatusOr<ChunkHeader> FromProto(const v1::ItemChunk& chunk);

}  // namespace stagecoach
