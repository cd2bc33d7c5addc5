#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/job/job_spec.h"

namespace stagecoach {

// A job file that was read, which still knows where each field stands.
class JobDocument {
 public:
  virtual ~JobDocument() = default;

  virtual const JobSpec& spec() const = 0;

  // The error as users see it: where it is about a field, that field's file,
  // line and column come first. Other errors are returned as they are.
  virtual absl::Status Locate(const absl::Status& error) const = 0;
};

// Reads job files. The seam that keeps the schema's protocol buffers out of
// the commands.
class JobDocumentReader {
 public:
  virtual ~JobDocumentReader() = default;

  // kInvalidArgument with file, line and what is wrong there; also when the
  // file cannot be read.
  virtual absl::StatusOr<std::unique_ptr<JobDocument>> Read(
      const std::string& path) const = 0;
};

}  // namespace stagecoach
