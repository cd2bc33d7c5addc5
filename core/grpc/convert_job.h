#pragma once

#include "core/job/job_spec.h"
#include "core/job/value.h"
#include "core/session/plan.h"
#include "stagecoach/v1/job.pb.h"
#include "stagecoach/v1/plan.pb.h"

namespace stagecoach {

// Jobs and plans as messages and back, without loss but for one thing: the wire
// has one kind of number, so whole numbers within 2^53 come back as integers.
// Absent fields come back as the defaults of JobSpec.

v1::Choice ToProto(const Choice& choice);
Choice FromProto(const v1::Choice& proto);

v1::JobSpec ToProto(const JobSpec& spec);
JobSpec FromProto(const v1::JobSpec& proto);

v1::DataFacts ToProto(const DataFacts& facts);
DataFacts FromProto(const v1::DataFacts& proto);

v1::Plan ToProto(const Plan& plan);
Plan FromProto(const v1::Plan& proto);

// The contents of Choice.parameters.
google::protobuf::Value ToProto(const Value& value);
Value FromProto(const google::protobuf::Value& proto);

}  // namespace stagecoach
