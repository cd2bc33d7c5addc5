#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace stagecoach {

// An error about one field of a job file. `path` is written as users write it:
// "method.dsp.staleness[1]". `message` gives the value, the rule and a value
// that would work; it does not repeat the path. Code kInvalidArgument.
//
// The path rides along as a payload, through gRPC too; whoever holds the file
// turns it into a line and column.
absl::Status FieldError(absl::string_view path, absl::string_view message);

// The path of the field that an error is about; empty when it is about none.
std::string FieldOf(const absl::Status& status);

// Puts `prefix` in front of the field that the error is about: "sgd.momentum"
// under "optimizer" becomes "optimizer.sgd.momentum". Other errors and OK are
// returned as they are.
absl::Status UnderField(absl::string_view prefix, const absl::Status& status);

// The payload's type URL, for code that carries it over the wire.
inline constexpr char kFieldPayload[] = "stagecoach.dev/field";

}  // namespace stagecoach
