#pragma once

#include "absl/status/statusor.h"
#include "core/job/job_status.h"
#include "stagecoach/v1/status.pb.h"

namespace stagecoach {

// Statuses as messages and back, without loss (times to the nanosecond).
// kInvalidArgument for a state that this build does not know.

v1::Cause ToProto(const Cause& cause);
Cause FromProto(const v1::Cause& proto);

v1::StageStatus ToProto(const StageStatus& status);
StageStatus FromProto(const v1::StageStatus& proto);

v1::TrainingFigures ToProto(const TrainingFigures& figures);
TrainingFigures FromProto(const v1::TrainingFigures& proto);

v1::Evaluation ToProto(const Evaluation& evaluation);
Evaluation FromProto(const v1::Evaluation& proto);

v1::JobStatus ToProto(const JobStatus& status);
absl::StatusOr<JobStatus> FromProto(const v1::JobStatus& proto);

v1::JobEvent ToProto(const JobEvent& event);
JobEvent FromProto(const v1::JobEvent& proto);

v1::WorkerStatus ToProto(const WorkerStatus& status);
WorkerStatus FromProto(const v1::WorkerStatus& proto);

}  // namespace stagecoach
