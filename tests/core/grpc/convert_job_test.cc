#include "core/grpc/convert_job.h"

#include <limits>

#include "gtest/gtest.h"
#include "tests/core/grpc/random_values.h"

namespace stagecoach {
namespace {

// Over the wire, as bytes.
template <typename Proto>
Proto Sent(const Proto& proto) {
  Proto received;
  EXPECT_TRUE(received.ParseFromString(proto.SerializeAsString()));
  return received;
}

TEST(ConvertJobTest, LosesNothingOfASpec) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const JobSpec spec = RandomValues(seed).AnySpec();

    EXPECT_EQ(FromProto(Sent(ToProto(spec))), spec) << "seed " << seed;
  }
}

TEST(ConvertJobTest, LosesNothingOfAPlan) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Plan plan = RandomValues(seed).AnyPlan();

    EXPECT_EQ(FromProto(Sent(ToProto(plan))), plan) << "seed " << seed;
  }
}

TEST(ConvertJobTest, GivesAbsentFieldsTheDefaultsOfASpec) {
  EXPECT_EQ(FromProto(v1::JobSpec()), JobSpec());
}

TEST(ConvertJobTest, KeepsZerosThatWereWritten) {
  JobSpec spec;
  spec.seed = 0;
  spec.stages = 0;
  spec.learning_rate.base = 0;
  spec.evaluate_every = "";

  EXPECT_EQ(FromProto(Sent(ToProto(spec))), spec);
}

TEST(ConvertJobTest, BringsWholeNumbersBackAsIntegers) {
  const Choice choice = {.name = "dsp",
                         .parameters = {{"slack", 2}, {"rate", 0.5}}};

  const Choice received = FromProto(Sent(ToProto(choice)));

  EXPECT_EQ(received.parameters.dump(), R"({"rate":0.5,"slack":2})");
}

TEST(ConvertJobTest, CarriesNumbersThatAreNoIntegers) {
  const double infinity = std::numeric_limits<double>::infinity();

  EXPECT_EQ(FromProto(Sent(ToProto(Value(infinity)))), Value(infinity));
  EXPECT_EQ(FromProto(Sent(ToProto(Value(1e300)))), Value(1e300));
}

TEST(ConvertJobTest, TellsEmptyListsMapsAndNothingApart) {
  EXPECT_EQ(FromProto(Sent(ToProto(Value(nullptr)))), Value(nullptr));
  EXPECT_EQ(FromProto(Sent(ToProto(Value::array()))), Value::array());
  EXPECT_EQ(FromProto(Sent(ToProto(Value::object()))), Value::object());
}

}  // namespace
}  // namespace stagecoach
