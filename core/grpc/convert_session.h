#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "core/session/order.h"
#include "core/session/report.h"
#include "stagecoach/v1/session.pb.h"

namespace stagecoach {

// What passes between workers and coordinator as messages and back, without
// loss but as convert_job.h says of numbers. kInvalidArgument for a report or
// order whose kind this build does not know.

v1::Hello ToProto(const Hello& hello);
Hello FromProto(const v1::Hello& proto);

v1::Report ToProto(const Report& report, int64_t serial);
absl::StatusOr<Report> FromProto(const v1::Report& proto);

v1::Order ToProto(const Order& order, int64_t serial);
absl::StatusOr<Order> FromProto(const v1::Order& proto);

}  // namespace stagecoach
