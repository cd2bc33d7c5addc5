#include "core/base/field_error.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

TEST(FieldErrorTest, CarriesThePathBesideTheMessage) {
  const absl::Status status = FieldError("method.dsp.slack", "2 is too much");

  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kInvalidArgument, "2 is too much"));
  EXPECT_EQ(FieldOf(status), "method.dsp.slack");
}

TEST(FieldErrorTest, IsAboutNoFieldWhereNoneWasGiven) {
  EXPECT_EQ(FieldOf(absl::InvalidArgumentError("2 is too much")), "");
  EXPECT_EQ(FieldOf(absl::OkStatus()), "");
}

TEST(FieldErrorTest, PutsAPrefixInFrontOfThePath) {
  EXPECT_EQ(FieldOf(UnderField("optimizer", FieldError("sgd.momentum", ""))),
            "optimizer.sgd.momentum");
  EXPECT_EQ(FieldOf(UnderField("staleness", FieldError("[1]", ""))),
            "staleness[1]");
  EXPECT_EQ(FieldOf(UnderField("batch", FieldError("", ""))), "batch");
}

TEST(FieldErrorTest, LeavesOtherStatusesAsTheyAre) {
  const absl::Status other = absl::NotFoundError("no such file");

  EXPECT_EQ(UnderField("data", other), other);
  EXPECT_THAT(UnderField("data", absl::OkStatus()), IsOk());
}

}  // namespace
}  // namespace stagecoach
