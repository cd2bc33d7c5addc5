#include "core/grpc/convert_status.h"

#include "gtest/gtest.h"
#include "tests/core/grpc/random_values.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

TEST(ConvertStatusTest, LosesNothingOfAJobStatus) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const JobStatus status = RandomValues(seed).AnyJobStatus();

    EXPECT_THAT(FromProto(ToProto(status)), IsOkAndHolds(status))
        << "seed " << seed;
  }
}

TEST(ConvertStatusTest, LosesNothingOfAnEvent) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const JobEvent event = RandomValues(seed).AnyEvent();

    EXPECT_EQ(FromProto(ToProto(event)), event) << "seed " << seed;
  }
}

TEST(ConvertStatusTest, LosesNothingOfAWorkerStatus) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const WorkerStatus status = RandomValues(seed).AnyWorkerStatus();

    EXPECT_EQ(FromProto(ToProto(status)), status) << "seed " << seed;
  }
}

TEST(ConvertStatusTest, KeepsEveryState) {
  for (const JobState state :
       {JobState::kQueued, JobState::kStarting, JobState::kRunning,
        JobState::kRecovering, JobState::kSucceeded, JobState::kFailed,
        JobState::kCancelled}) {
    JobStatus status;
    status.state = state;

    EXPECT_THAT(FromProto(ToProto(status)), IsOkAndHolds(status));
  }
}

TEST(ConvertStatusTest, NamesStatesByTheirProtoNames) {
  JobStatus status;
  status.state = JobState::kRecovering;

  EXPECT_EQ(ToProto(status).state(), v1::JOB_STATE_RECOVERING);
}

TEST(ConvertStatusTest, RefusesAStateThatItDoesNotKnow) {
  v1::JobStatus proto = ToProto(JobStatus());
  proto.set_state(static_cast<v1::JobState>(12));

  EXPECT_THAT(FromProto(proto), StatusIs(absl::StatusCode::kInvalidArgument,
                                         testing::HasSubstr("job state 12")));
}

}  // namespace
}  // namespace stagecoach
