#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "worker/transport/frame.h"
#include "worker/transport/link.h"

namespace stagecoach {

// Upward frames go from the lower stage to the one above it.
enum class Direction { kUpward, kDownward };

absl::string_view NameOf(Lane lane);            // "training"
absl::string_view NameOf(Direction direction);  // "upward"

// How many items of a lane may be on their way in this direction.
int64_t ItemsOf(const LinkSpec& spec, Direction direction, Lane lane);

// What no link may exceed, whatever its spec says.
inline constexpr int64_t kMaxItemsPerLane = 4097;  // staleness 4096 to 0
inline constexpr int64_t kMaxItemBytes = int64_t{1} << 40;
inline constexpr size_t kMaxDigestBytes = 4096;
inline constexpr size_t kMaxTensorsPerFrame = 64;

// kInvalidArgument when a field is missing or out of range.
absl::Status Validate(const LinkSpec& spec);

// Whether the expecting end takes the link that a connecting end offers.
//   kNotFound: another stage or job, or a generation that this end has not
//     heard of yet: worth another try.
//   kFailedPrecondition: the offered generation is older than the expected one.
//   kInvalidArgument: the ends disagree about the boundary or the room; the
//     message gives both.
absl::Status CheckOffer(const LinkSpec& expected, const LinkSpec& offered);

// Whether a link of this spec may carry the frame in this direction; its
// tensors' contents are not looked at. kInvalidArgument otherwise.
absl::Status CheckFrame(const LinkSpec& spec, Direction direction,
                        const Frame& frame);

}  // namespace stagecoach
