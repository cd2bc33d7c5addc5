#pragma once

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/grpc/yaml_tree.h"
#include "core/job/job_spec.h"

namespace stagecoach {

// A job file that was read: what it says, and where. A value.
struct JobFile {
  std::string name;  // of the file, for messages
  JobSpec spec;
  std::map<std::string, TextPlace> places;  // by field path

  // "FILE:LINE:COLUMN" of the field, or of the nearest field around it that
  // the file has.
  std::string Where(absl::string_view field) const;
};

// Reads YAML beside the descriptor of stagecoach.v1.JobSpec, whose field names
// are the file's; absent fields get the defaults of JobSpec. Knows types, not
// ranges: core/resolve checks the rest.
//
// A `Choice` is written as a map of one key, `dsp: {slack: 2}`, or as the bare
// name. A field called `source` is written without its own name: its choice
// stands among the fields around it.
//
// kInvalidArgument, on one line: "FILE:LINE:COLUMN: field.path: message".
absl::StatusOr<JobFile> ParseJobFile(absl::string_view text,
                                     absl::string_view file_name);

// An error about the job as the user of the file sees it, on one line:
// "FILE:LINE:COLUMN: field.path: message" where it is about a field
// (core/base/field_error.h), otherwise the message alone.
std::string Explain(const absl::Status& status, const JobFile& file);

}  // namespace stagecoach
