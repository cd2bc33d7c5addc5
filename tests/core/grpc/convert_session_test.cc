#include "core/grpc/convert_session.h"

#include <variant>
#include <vector>

#include "core/base/field_error.h"
#include "core/grpc/convert_job.h"
#include "core/grpc/convert_status.h"
#include "gtest/gtest.h"
#include "tests/core/grpc/random_values.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;

template <typename T>
T SentReport(const T& report) {
  const absl::StatusOr<Report> received =
      FromProto(ToProto(Report(report), /*serial=*/7));
  EXPECT_THAT(received, IsOk());
  return std::get<T>(*received);
}

template <typename T>
T SentOrder(const T& order) {
  const absl::StatusOr<Order> received =
      FromProto(ToProto(Order(order), /*serial=*/7));
  EXPECT_THAT(received, IsOk());
  return std::get<T>(*received);
}

// Whether job and generation are the same.
template <typename T>
void ExpectSameAddress(const T& left, const T& right) {
  EXPECT_EQ(left.job, right.job);
  EXPECT_EQ(left.generation, right.generation);
}

class ConvertSessionTest : public testing::TestWithParam<int> {
 protected:
  RandomValues random_{static_cast<uint64_t>(GetParam())};
  const JobId job_ = random_.Job();
  const Generation generation_ = random_.AnyGeneration();
};

TEST_P(ConvertSessionTest, LosesNothingOfAHello) {
  const Hello hello = random_.AnyHello();

  EXPECT_EQ(FromProto(ToProto(hello)), hello);
}

TEST_P(ConvertSessionTest, LosesNothingOfInspectedData) {
  const DataInspected report = {job_, generation_, random_.AnyFacts()};

  const DataInspected received = SentReport(report);

  ExpectSameAddress(received, report);
  EXPECT_THAT(received.facts, IsOkAndHolds(*report.facts));
}

TEST_P(ConvertSessionTest, LosesNothingOfAnErrorAboutData) {
  const DataInspected report = {
      job_, generation_, FieldError("data.fashion_mnist.path", "is no folder")};

  const DataInspected received = SentReport(report);

  EXPECT_EQ(received.facts.status(), report.facts.status());
  EXPECT_EQ(FieldOf(received.facts.status()), "data.fashion_mnist.path");
}

TEST_P(ConvertSessionTest, TakesAnErrorWithoutACodeForAnError) {
  v1::Report proto;
  proto.mutable_data_inspected()->mutable_error();

  const auto received = FromProto(proto);

  ASSERT_THAT(received, IsOk());
  EXPECT_THAT(std::get<DataInspected>(*received).facts,
              StatusIs(absl::StatusCode::kUnknown));
}

TEST_P(ConvertSessionTest, LosesNothingOfProgress) {
  const StageProgressed report = {job_, generation_, random_.AnyStage(),
                                  random_.AnyFigures()};

  const StageProgressed received = SentReport(report);

  ExpectSameAddress(received, report);
  EXPECT_EQ(received.status, report.status);
  EXPECT_EQ(received.training, report.training);
}

TEST_P(ConvertSessionTest, LosesNothingOfAnEvaluation) {
  const CutEvaluated report = {job_, generation_, random_.AnyEvaluation()};

  const CutEvaluated received = SentReport(report);

  ExpectSameAddress(received, report);
  EXPECT_EQ(received.evaluation, report.evaluation);
}

TEST_P(ConvertSessionTest, LosesNothingOfAnEnd) {
  const StageFinished report = {job_,
                                generation_,
                                random_.AnyStage(),
                                random_.AnyFigures(),
                                {random_.Text(), random_.Text()}};

  const StageFinished received = SentReport(report);

  ExpectSameAddress(received, report);
  EXPECT_EQ(received.status, report.status);
  EXPECT_EQ(received.training, report.training);
  EXPECT_EQ(received.digest_lines, report.digest_lines);
}

TEST_P(ConvertSessionTest, LosesNothingOfAFailure) {
  const StageFailed report = {job_, generation_, random_.AnyCause()};

  const StageFailed received = SentReport(report);

  ExpectSameAddress(received, report);
  EXPECT_EQ(received.cause, report.cause);
}

TEST_P(ConvertSessionTest, LosesNothingOfTheOtherReports) {
  ExpectSameAddress(SentReport(StagesPrepared{job_, generation_}),
                    StagesPrepared{job_, generation_});
  ExpectSameAddress(SentReport(StagesStopped{job_, generation_}),
                    StagesStopped{job_, generation_});
  const FlightRecord record = {job_, generation_, StageIndex(3), {"a", "b"}};
  ExpectSameAddress(SentReport(record), record);
  EXPECT_EQ(SentReport(record).stage, record.stage);
  EXPECT_EQ(SentReport(record).moves, record.moves);
  EXPECT_EQ(SentReport(LogLine{job_, "hello"}).job, job_);
  EXPECT_EQ(SentReport(LogLine{job_, "hello"}).text, "hello");
}

TEST_P(ConvertSessionTest, LosesNothingOfOrders) {
  const InspectData inspect = {job_, generation_, random_.AnySpec()};
  ExpectSameAddress(SentOrder(inspect), inspect);
  EXPECT_EQ(SentOrder(inspect).spec, inspect.spec);

  const PrepareStages prepare = {random_.AnyPlan()};
  EXPECT_EQ(SentOrder(prepare).plan, prepare.plan);

  const StopStages stop = {job_, generation_, random_.Text()};
  ExpectSameAddress(SentOrder(stop), stop);
  EXPECT_EQ(SentOrder(stop).reason, stop.reason);

  ExpectSameAddress(SentOrder(StartStages{job_, generation_}),
                    StartStages{job_, generation_});
  EXPECT_EQ(SentOrder(RequestFlightRecord{job_}).job, job_);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ConvertSessionTest, testing::Range(0, 50));

TEST(ConvertSessionErrorTest, RefusesKindsThatItDoesNotKnow) {
  v1::Report report;
  report.set_serial(9);
  v1::Order order;
  order.set_serial(4);

  EXPECT_THAT(FromProto(report), StatusIs(absl::StatusCode::kInvalidArgument,
                                          HasSubstr("report 9 is of a kind")));
  EXPECT_THAT(FromProto(order), StatusIs(absl::StatusCode::kInvalidArgument,
                                         HasSubstr("order 4 is of a kind")));
}

}  // namespace
}  // namespace stagecoach
