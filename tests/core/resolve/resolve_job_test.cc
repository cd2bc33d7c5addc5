#include "core/base/field_error.h"
#include "core/resolve/resolved_job.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/resolve/specs.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

JobSpec MlpSpec(const std::vector<int64_t>& sizes) {
  JobSpec spec = SmallSpec();
  spec.model = {.name = "mlp", .parameters = {{"sizes", sizes}}};
  return spec;
}

TEST(ResolveJobTest, DerivesWhatEveryoneAgreesOn) {
  JobSpec spec = SmallSpec();
  spec.epochs = 3;
  spec.evaluate_every = "2 epochs";
  spec.learning_rate = {.base = 0.1, .schedule = {.name = "cosine"}};

  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob job,
                          ResolveJob(spec, SmallFacts()));

  EXPECT_EQ(job.steps_per_epoch, 8);  // 1000 samples in batches of 128
  EXPECT_EQ(job.steps, 24);
  EXPECT_EQ(job.evaluate_every, 16);
  EXPECT_EQ(job.evaluation_items(), 1);
  EXPECT_THAT(job.stages,
              ElementsAre(StageMethod{2, true}, StageMethod{0, false}));
  EXPECT_EQ(job.num_stages(), 2);
  EXPECT_EQ(job.ScheduleOf(0), (Schedule{.window = 2, .items = 24}));
  EXPECT_EQ(job.model.units.size(), 5);
  ASSERT_EQ(job.cuts.size(), 1);
  EXPECT_EQ(job.UnitsOf(0).size() + job.UnitsOf(1).size(), 5);
  EXPECT_EQ(&job.UnitsOf(1)[0], &job.model.units[job.UnitsOf(0).size()]);
  EXPECT_EQ(job.learning_rate->At(0), 0.1);
  EXPECT_TRUE(job.channels_last);
}

TEST(ResolveJobTest, WritesItsChoicesIntoTheSpec) {
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob job,
                          ResolveJob(SmallSpec(), SmallFacts()));

  EXPECT_EQ(IntegerOf(job.spec.model.parameters, "classes"), 10);
  EXPECT_EQ(job.spec.partition.cuts, job.cuts);
  EXPECT_EQ(job.spec.partition.method, "");
  EXPECT_EQ(job.spec.memory_format, "channels_last");
  EXPECT_EQ(job.spec.resources.device, "cpu");
}

TEST(ResolveJobTest, IsIdempotent) {
  JobSpec single = SmallSpec();
  single.stages = 1;
  for (const JobSpec& spec : {SmallSpec(), single, MlpSpec({784, 20, 10})}) {
    SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob once,
                            ResolveJob(spec, SmallFacts()));
    SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob twice,
                            ResolveJob(once.spec, SmallFacts()));
    EXPECT_EQ(once.spec, twice.spec);
    EXPECT_EQ(once.cuts, twice.cuts);
    EXPECT_THAT(ResolveSpec(once.spec), IsOkAndHolds(once.spec));
  }
}

TEST(ResolveJobTest, TakesCutsAndPartitionersAsGiven) {
  JobSpec spec = SmallSpec();
  spec.partition.cuts = {1};
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob given,
                          ResolveJob(spec, SmallFacts()));
  EXPECT_THAT(given.cuts, ElementsAre(1));
  spec.partition = {.cuts = {}, .method = "uniform"};
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob uniform,
                          ResolveJob(spec, SmallFacts()));
  EXPECT_THAT(uniform.cuts, ElementsAre(2));
  spec.stages = 1;
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob single,
                          ResolveJob(spec, SmallFacts()));
  EXPECT_THAT(single.cuts, IsEmpty());
}

TEST(ResolveJobTest, TakesChannelsLastForConvolutionsOnACpuOnly) {
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob mlp,
                          ResolveJob(MlpSpec({784, 20, 10}), SmallFacts()));
  EXPECT_EQ(mlp.spec.memory_format, "contiguous");
  EXPECT_FALSE(mlp.channels_last);
  JobSpec spec = SmallSpec();
  spec.memory_format = "contiguous";
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob asked,
                          ResolveJob(spec, SmallFacts()));
  EXPECT_FALSE(asked.channels_last);
  spec.memory_format = "auto";
  spec.resources.device = "cuda";
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob cuda,
                          ResolveJob(spec, SmallFacts()));
  EXPECT_EQ(cuda.spec.memory_format, "contiguous");
}

TEST(ResolveJobTest, EvaluatesEverySoOftenAndAtTheEnd) {
  JobSpec spec = SmallSpec();
  spec.epochs = 2;
  spec.evaluate_every = "5 steps";
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob job,
                          ResolveJob(spec, SmallFacts()));
  std::vector<int64_t> versions;
  for (int64_t n = 0; n <= job.steps; ++n) {
    if (job.EvaluatesAt(n)) versions.push_back(n);
  }
  EXPECT_THAT(versions, ElementsAre(5, 10, 15, 16));

  spec.evaluate_every = "never";
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob never,
                          ResolveJob(spec, SmallFacts()));
  for (int64_t n = 0; n <= never.steps; ++n) {
    EXPECT_FALSE(never.EvaluatesAt(n));
  }
}

struct BadJob {
  JobSpec spec;
  const char* field;
  const char* message;
};

JobSpec With(JobSpec spec, void (*change)(JobSpec&)) {
  change(spec);
  return spec;
}

TEST(ResolveJobTest, SaysWhatDoesNotFitTheData) {
  const BadJob cases[] = {
      {With(SmallSpec(), [](JobSpec& s) { s.data.batch_size = 1001; }),
       "data.batch_size",
       "1001 is larger than the data of 1000 training samples; e.g. 128"},
      {With(SmallSpec(), [](JobSpec& s) { s.stages = 6; }), "stages",
       "must be at most the 5 units of resnet, not 6"},
      {With(SmallSpec(), [](JobSpec& s) { s.partition.cuts = {5}; }),
       "partition.cuts[0]",
       "must be at least 1 and below the 5 units of the model, not 5"},
      {With(SmallSpec(),
            [](JobSpec& s) {
              s.model.parameters = {{"depth", 9}};
            }),
       "model.resnet.depth", "must be 6n + 2, not 9; e.g. 8 or 14"},
      {With(SmallSpec(),
            [](JobSpec& s) {
              s.model.parameters = {{"classes", 7}};
            }),
       "model.resnet.classes",
       "must be the 10 classes of the data, not 7; e.g. 10"},
      {MlpSpec({700, 20, 10}), "model.mlp.sizes[0]",
       "700 does not fit a sample of 1x28x28; it must be 784"},
      {MlpSpec({784, 20, 12}), "model.mlp.sizes[2]",
       "must be the 10 classes of the data, not 12; e.g. 10"},
      {With(SmallSpec(),
            [](JobSpec& s) {
              s.learning_rate.schedule = {
                  .name = "cosine", .parameters = {{"warm_up", "1 epoch"}}};
            }),
       "learning_rate.schedule.cosine.warm_up",
       "1 epoch is 8 of the job's 8 steps and leaves none at the full rate; "
       "e.g. 5%"},
      {With(SmallSpec(), [](JobSpec& s) { s.evaluate_every = "1%"; }),
       "evaluate.every",
       "1% of the job's 8 steps is less than one; e.g. 1 epoch"},
  };
  for (const BadJob& bad : cases) {
    const auto job = ResolveJob(bad.spec, SmallFacts());

    EXPECT_THAT(job, StatusIs(absl::StatusCode::kInvalidArgument, bad.message));
    EXPECT_EQ(FieldOf(job.status()), bad.field) << bad.message;
  }
}

// Pixels of one place: block3 of a resnet on 1x1 images sees one value for each
// channel and sample.
DataFacts TinyFacts(int64_t train_samples) {
  DataFacts facts = SmallFacts();
  facts.sample = {1, 1, 1};
  facts.train_samples = train_samples;
  return facts;
}

TEST(ResolveJobTest, RefusesBatchesThatLeaveBatchNormOneValue) {
  JobSpec spec = SmallSpec();
  spec.data.batch_size = 1;
  const auto single = ResolveJob(spec, TinyFacts(1000));
  EXPECT_THAT(single,
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "a batch of 1 sample gives 'stem.norm' one value per "
                       "channel; batch normalisation needs two; e.g. 2"));
  EXPECT_EQ(FieldOf(single.status()), "data.batch_size");

  spec.data.batch_size = 64;
  EXPECT_THAT(ResolveJob(spec, TinyFacts(64 * 3 + 1)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "the last batch of an epoch (193 samples in batches of "
                       "64 leave 1) gives 'stem.norm' one value per channel; "
                       "batch normalisation needs two; e.g. 63"));
  EXPECT_THAT(ResolveJob(spec, TinyFacts(64 * 3 + 2)), IsOk());
  EXPECT_THAT(ResolveJob(spec, TinyFacts(64 * 3)), IsOk());
}

TEST(ResolveJobTest, TakesSingleSamplesWhereEachHasSeveralValues) {
  JobSpec spec = SmallSpec();
  spec.data.batch_size = 1;
  EXPECT_THAT(ResolveJob(spec, SmallFacts()), IsOk());
  // Without batch normalisation any batch does.
  JobSpec mlp = MlpSpec({1, 10});
  mlp.data.batch_size = 1;
  mlp.stages = 1;
  EXPECT_THAT(ResolveJob(mlp, TinyFacts(1)), IsOk());
}

TEST(ResolveJobTest, RefusesFactsThatNoDataCanHave) {
  for (int spoiled = 0; spoiled < 8; ++spoiled) {
    DataFacts facts = SmallFacts();
    if (spoiled == 0) facts.train_samples = 0;
    if (spoiled == 1) facts.test_samples = -1;
    if (spoiled == 2) facts.classes = 0;
    if (spoiled == 3) facts.sample = {784};
    if (spoiled == 4) facts.sample = {1, 0, 28};
    if (spoiled == 5) facts.sample = {1, int64_t{1} << 40, int64_t{1} << 40};
    if (spoiled == 6) facts.train_samples = int64_t{1} << 60;
    if (spoiled == 7) facts.classes = int64_t{1} << 60;
    EXPECT_THAT(ResolveJob(SmallSpec(), facts),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << spoiled;
  }
}

}  // namespace
}  // namespace stagecoach
