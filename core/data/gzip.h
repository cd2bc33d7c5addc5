#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace stagecoach {

// Whether these are compressed bytes, by the first two of them.
bool IsGzip(absl::string_view bytes);

struct Inflated {
  std::string bytes;
  bool more = false;  // there are more than were asked for
};

// The first `limit` bytes of what was compressed. Memory grows with the bytes
// that really come. kDataLoss where the data ends too early, is corrupt (its
// checksum included), or is followed by something else.
absl::StatusOr<Inflated> Inflate(absl::string_view compressed, int64_t limit);

}  // namespace stagecoach
