#include "coordinator/grpc/proto_job_codec.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "stagecoach/v1/record.pb.h"
#include "tests/core/grpc/random_values.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::HasSubstr;

JobRecord AnyRecord(RandomValues& random) {
  JobRecord record;
  record.number = random.Integer();
  record.key = random.Text();
  record.spec = random.AnySpec();
  record.status = random.AnyJobStatus();
  if (random.Boolean()) record.plan = random.AnyPlan();
  for (int64_t stage = random.Below(3); stage > 0; --stage) {
    record.finished.push_back({.stage = StageIndex(static_cast<int>(stage)),
                               .digest_lines = {random.Text(), random.Text()}});
  }
  record.last_event = random.Integer();
  return record;
}

TEST(ProtoJobCodecTest, LosesNothing) {
  const ProtoJobCodec codec;
  RandomValues random(1);
  for (int round = 0; round < 100; ++round) {
    const JobRecord record = AnyRecord(random);

    EXPECT_THAT(codec.Decode(codec.Encode(record)), IsOkAndHolds(record));
  }
}

TEST(ProtoJobCodecTest, RefusesBytesThatAreNoRecord) {
  const ProtoJobCodec codec;

  EXPECT_THAT(codec.Decode("\xFF\xFF"), StatusIs(absl::StatusCode::kDataLoss));
}

TEST(ProtoJobCodecTest, RefusesAStateOfAnotherVersion) {
  const ProtoJobCodec codec;
  v1::JobRecord proto;
  proto.mutable_status()->set_state(static_cast<v1::JobState>(99));

  EXPECT_THAT(codec.Decode(proto.SerializeAsString()),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("99")));
}

}  // namespace
}  // namespace stagecoach
