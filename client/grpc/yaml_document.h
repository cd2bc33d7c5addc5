#pragma once

#include <memory>
#include <string>

#include "client/job_document.h"

namespace stagecoach {

// Reads job files of YAML (core/grpc/job_file.h).
//
// Immutable, hence thread-safe.
class YamlDocumentReader final : public JobDocumentReader {
 public:
  absl::StatusOr<std::unique_ptr<JobDocument>> Read(
      const std::string& path) const override;
};

}  // namespace stagecoach
