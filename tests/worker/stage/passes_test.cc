#include "worker/stage/passes.h"

#include <torch/types.h>

#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "worker/stage/device.h"
#include "worker/stage/finite.h"
#include "worker/stage/in_flight.h"
#include "worker/stage/loss.h"
#include "worker/stage/torch_guard.h"

namespace stagecoach {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(LossTest, IsTheMeanOfTheSummedCrossEntropy) {
  // Equal logits of four classes: each sample loses log 4.
  const at::Tensor logits = at::zeros({3, 4}).requires_grad_();

  const Loss loss = LossOf(logits, at::tensor({0, 1, 0}, torch::kInt64));

  EXPECT_NEAR(loss.sum, 3 * std::log(4.0), 1e-6);
  EXPECT_NEAR(loss.mean.item<double>(), std::log(4.0), 1e-6);
  EXPECT_TRUE(loss.mean.requires_grad());
  // The first of equal logits counts: class 0.
  EXPECT_EQ(loss.correct, 2);
}

TEST(FiniteTest, RefusesWhatHasNoFiniteSquare) {
  const float limit = std::sqrt(std::numeric_limits<float>::max());
  const auto with = [](double value) {
    at::Tensor tensor = at::zeros({100});
    tensor[77] = value;
    return tensor;
  };

  EXPECT_TRUE(AllFinite(at::Tensor()));
  EXPECT_TRUE(AllFinite(with(-1e19)));
  EXPECT_FALSE(AllFinite(with(limit)));
  EXPECT_FALSE(AllFinite(with(-1e22)));
  EXPECT_FALSE(AllFinite(with(std::numeric_limits<double>::infinity())));
  EXPECT_FALSE(AllFinite(with(std::numeric_limits<double>::quiet_NaN())));
}

TEST(FiniteTest, TakesAnyNumberWhereNobodySquaresIt) {
  EXPECT_TRUE(AllNumbers(at::full({9}, 3e38)));
  EXPECT_TRUE(AllNumbers(at::full({9}, -1e300, torch::kFloat64)));
  for (const double value : {std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(AllNumbers(at::full({9}, value)));
    EXPECT_FALSE(AllNumbers(at::full({9}, -value, torch::kFloat64)));
  }
}

TEST(CheckFiniteTest, LooksAtWhatBatchNormalisationMeasured) {
  InFlightItem item = {.item = ItemId(3), .input = at::zeros({2, 2})};
  item.statistics = {at::zeros({2}), at::full({2}, 1e30)};
  EXPECT_THAT(CheckFinite(item, {}), IsOk());

  item.statistics[1][0] = std::numeric_limits<float>::infinity();

  EXPECT_THAT(CheckFinite(item, {}),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("a batch statistic of item 3")));
}

TEST(FiniteTest, LooksAtEveryLayoutAndType) {
  at::Tensor images =
      at::zeros({2, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast);
  EXPECT_TRUE(AllFinite(images));
  images[1][2][3][4] = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(AllFinite(images));
  EXPECT_FALSE(AllFinite(images.slice(/*dim=*/3, 1, 5)));
  EXPECT_TRUE(AllFinite(images.slice(/*dim=*/3, 0, 4)));
}

TEST(FiniteTest, KnowsTheLimitOfFloat64) {
  const double limit = std::sqrt(std::numeric_limits<double>::max());
  const auto with = [](double value) {
    at::Tensor tensor = at::zeros({5, 7}, torch::kFloat64);
    tensor[4][6] = value;
    return tensor;
  };
  const double below = std::nextafter(limit, 0.0);

  EXPECT_TRUE(AllFinite(with(below)));
  EXPECT_TRUE(AllFinite(with(-below).t()));
  EXPECT_FALSE(AllFinite(with(limit)));
  EXPECT_FALSE(AllFinite(with(-limit).t()));
  EXPECT_FALSE(AllFinite(with(-std::numeric_limits<double>::infinity())));
  EXPECT_FALSE(AllFinite(with(std::numeric_limits<double>::quiet_NaN())));
}

TEST(TorchGuardTest, TurnsExceptionsIntoStatuses) {
  EXPECT_THAT(GuardTorch([] { return absl::OkStatus(); }), IsOk());
  EXPECT_THAT(GuardTorch([] { return absl::DataLossError("mine"); }),
              StatusIs(absl::StatusCode::kDataLoss, "mine"));
  EXPECT_THAT(GuardTorch([] {
                at::zeros({2, 3}).matmul(at::zeros({2, 3}));
                return absl::OkStatus();
              }),
              StatusIs(absl::StatusCode::kUnknown,
                       testing::AllOf(HasSubstr("2x3"), Not(HasSubstr("\n")))));
  EXPECT_THAT(GuardTorch([]() -> absl::Status { throw std::bad_alloc(); }),
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(GuardTorch([]() -> absl::Status {
                throw std::runtime_error("kernel\nwith a trace");
              }),
              StatusIs(absl::StatusCode::kUnknown, "torch: kernel"));
}

TEST(TorchGuardTest, KnowsWhenMemoryIsOut) {
  EXPECT_THAT(GuardTorch([] {
                at::empty({int64_t{1} << 60});
                return absl::OkStatus();
              }),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(DeviceTest, KnowsTheCpuAndRefusesWhatIsNotThere) {
  EXPECT_THAT(DeviceOf("cpu"), IsOkAndHolds(torch::Device(torch::kCPU)));
  for (const char* name : {"", "gpu", "cuda:x", "cuda:-1", "cuda:999"}) {
    EXPECT_THAT(DeviceOf(name),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr(std::string("'") + name + "'")));
  }
}

TEST(InFlightTest, CountsTheInputsAndTheirBytes) {
  InFlight in_flight;
  in_flight.Add({.item = ItemId(0), .input = at::zeros({8, 2})});
  in_flight.Add({.item = ItemId(1), .input = at::zeros({8, 2})});
  in_flight.RemoveOldest();
  InFlightItem& last =
      in_flight.Add({.item = ItemId(2), .input = at::zeros({4, 2})});

  EXPECT_EQ(in_flight.size(), 2);
  EXPECT_EQ(in_flight.oldest().item, ItemId(1));
  EXPECT_EQ(in_flight.peak_bytes(), 2 * 8 * 2 * 4);
  EXPECT_FALSE(in_flight.any_graph());
  last.output = at::ones({4, 2});
  EXPECT_TRUE(in_flight.any_graph());
}

}  // namespace
}  // namespace stagecoach
