#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "coordinator/job_record.h"

namespace stagecoach {

// Job records as bytes: what a store keeps without knowing what it is.
//
// Thread-safe.
class JobCodec {
 public:
  virtual ~JobCodec() = default;

  virtual std::string Encode(const JobRecord& record) const = 0;

  // kDataLoss when the bytes are no record.
  virtual absl::StatusOr<JobRecord> Decode(absl::string_view bytes) const = 0;
};

}  // namespace stagecoach
