#pragma once

#include "coordinator/job_codec.h"

namespace stagecoach {

// Records as serialised messages (proto/stagecoach/v1/record.proto), under the
// same rules of evolution as those on the wire.
class ProtoJobCodec final : public JobCodec {
 public:
  std::string Encode(const JobRecord& record) const override;
  absl::StatusOr<JobRecord> Decode(absl::string_view bytes) const override;
};

}  // namespace stagecoach
