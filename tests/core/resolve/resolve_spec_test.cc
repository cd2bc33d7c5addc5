#include <functional>
#include <limits>

#include "core/base/field_error.h"
#include "core/resolve/resolved_job.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/resolve/specs.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

TEST(ResolveSpecTest, FillsInWhatANewcomerWants) {
  SC_ASSERT_OK_AND_ASSIGN(const JobSpec spec, ResolveSpec(SmallSpec()));

  EXPECT_EQ(spec.model.parameters, (Value{{"depth", 8}, {"width", 4}}));
  EXPECT_EQ(spec.data.source.parameters,
            (Value{{"path", "/usr/share/datasets/fashion-mnist"},
                   {"mean", 0.286},
                   {"std", 0.353}}));
  EXPECT_EQ(spec.method.name, "dsp");
  EXPECT_EQ(spec.method.parameters.dump(), R"({"slack":1})");
  EXPECT_EQ(spec.partition.method, "balanced");
  EXPECT_EQ(
      spec.optimizer.parameters,
      (Value{{"momentum", 0.9}, {"nesterov", false}, {"weight_decay", 0}}));
  EXPECT_EQ(spec.learning_rate.schedule.parameters.dump(),
            R"({"warm_up":"0%"})");
  EXPECT_EQ(spec.evaluate_every, "1 epoch");
  EXPECT_EQ(spec.resources.device, "cpu");
}

TEST(ResolveSpecTest, IsIdempotent) {
  JobSpec written = SmallSpec();
  written.method.parameters = {{"staleness", {3, 0}},
                               {"activation_queues", {1, 0}}};
  written.data.augment = {{.name = "random_crop"}, {.name = "horizontal_flip"}};
  written.evaluate_every = "25 %";
  for (const JobSpec& spec : {SmallSpec(), written}) {
    SC_ASSERT_OK_AND_ASSIGN(const JobSpec once, ResolveSpec(spec));
    EXPECT_THAT(ResolveSpec(once), IsOkAndHolds(once));
  }
}

struct BadSpec {
  std::function<void(JobSpec&)> spoil;
  const char* field;
  const char* message;
};

std::function<void(JobSpec&)> Method(const char* name, const char* json) {
  return [=](JobSpec& spec) {
    spec.method = {.name = name, .parameters = Value::parse(json)};
  };
}

std::function<void(JobSpec&)> Sgd(const char* json) {
  return [=](JobSpec& spec) {
    spec.optimizer = {.name = "sgd", .parameters = Value::parse(json)};
  };
}

std::function<void(JobSpec&)> Rate(double base) {
  return [=](JobSpec& spec) { spec.learning_rate.base = base; };
}

TEST(ResolveSpecTest, SaysWhichFieldBreaksWhichRule) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const BadSpec cases[] = {
      {[](JobSpec& s) { s.name = ""; }, "name",
       "is missing; e.g. name: fashion-dsp"},
      {[](JobSpec& s) { s.name = "Fashion"; }, "name",
       "'Fashion' must be lower-case letters, digits, '-', '_', '.' and "
       "spaces; e.g. fashion-dsp"},
      {[](JobSpec& s) { s.name = "a\nb"; }, "name",
       R"('a\nb' must be lower-case letters, digits, '-', '_', '.' and )"
       "spaces; e.g. fashion-dsp"},
      {[](JobSpec& s) { s.name = std::string(64, 'a'); }, "name",
       "has 64 characters; at most 63"},
      {[](JobSpec& s) { s.model = {}; }, "model",
       "names no model; one of resnet, mlp"},
      {[](JobSpec& s) { s.model.name = "resnt"; }, "model.resnt",
       "no model is called 'resnt'; did you mean 'resnet'?"},
      {[](JobSpec& s) {
         s.model.parameters = {{"dept", 20}};
       },
       "model.resnet.dept", "is no parameter of resnet; did you mean 'depth'?"},
      {[](JobSpec& s) {
         s.model.parameters = {{"width", 0}};
       },
       "model.resnet.width",
       "must be at least 1 and at most 4096, not 0; e.g. "
       "16"},
      {[](JobSpec& s) { s.data.source = {}; }, "data",
       "names no data source; one of fashion_mnist, idx"},
      {[](JobSpec& s) {
         s.data.source.parameters = {{"std", 0}};
       },
       "data.fashion_mnist.std", "must be above 0, not 0; e.g. 0.353"},
      {[](JobSpec& s) { s.data.batch_size = 0; }, "data.batch_size",
       "must be 1 to 16777216, not 0; e.g. 128"},
      {[](JobSpec& s) { s.data.batch_size = -128; }, "data.batch_size",
       "must be 1 to 16777216, not -128; e.g. 128"},
      {[](JobSpec& s) {
         s.data.augment = {{.name = "horizontal_flip"}, {.name = "crop"}};
       },
       "data.augment[1].crop",
       "no augmentation is called 'crop'; known: random_crop, horizontal_flip"},
      {[](JobSpec& s) {
         s.data.augment = {
             {.name = "random_crop", .parameters = {{"padding", 0}}}};
       },
       "data.augment[0].random_crop.padding",
       "must be at least 1 and at most 1024, not 0; e.g. 4"},
      {[](JobSpec& s) { s.data.augment.resize(65); }, "data.augment",
       "has 65 augmentations; at most 64"},
      {Method("dps", "{}"), "method.dps",
       "no method is called 'dps'; did you mean 'dsp'?"},
      {Method("bp", R"({"slack": 1})"), "method.bp.slack",
       "is no parameter of bp; bp takes no parameters"},
      {Method("dsp", R"({"staleness": [2, 3]})"), "method.dsp.staleness[1]",
       "staleness must not rise along the pipeline: stage 1 has 3, stage 0 has "
       "2; e.g. [2, 0]"},
      {Method("dsp", R"({"staleness": [4, 2, 0]})"), "method.dsp.staleness",
       "has 3 values for 2 stages; one for each stage, e.g. [2, 0]"},
      {[](JobSpec& s) { s.stages = 0; }, "stages",
       "must be 1 to 64, not 0; e.g. 2"},
      {[](JobSpec& s) { s.stages = 65; }, "stages",
       "must be 1 to 64, not 65; e.g. 2"},
      {[](JobSpec& s) { s.partition.method = "balance"; }, "partition.method",
       "'balance' is not known; did you mean 'balanced'?"},
      {[](JobSpec& s) {
         s.partition = {{2}, "uniform"};
       },
       "partition.method",
       "cannot stand beside cuts, which say it all; leave one out"},
      {[](JobSpec& s) {
         s.partition.cuts = {2, 3};
       },
       "partition.cuts",
       "has 2 cuts for 2 stages; one less than stages, the first unit of each "
       "stage but the first"},
      {[](JobSpec& s) { s.optimizer.name = "adam"; }, "optimizer.adam",
       "no optimizer is called 'adam'; known: sgd"},
      {Sgd(R"({"momentum": 1})"), "optimizer.sgd.momentum",
       "must be at least 0 and below 1, not 1; e.g. 0.9"},
      {Sgd(R"({"weight_decay": -1e-4})"), "optimizer.sgd.weight_decay",
       "must be at least 0 and at most 1000000, not -0.0001; e.g. 0"},
      {Sgd(R"({"momentum": 0, "nesterov": true})"), "optimizer.sgd.nesterov",
       "is a kind of momentum and means nothing at momentum 0; e.g. momentum: "
       "0.9"},
      {Rate(0), "learning_rate.base",
       "must be above 0 and at most 1e6, not 0; e.g. 0.05"},
      {Rate(-0.1), "learning_rate.base",
       "must be above 0 and at most 1e6, not -0.1; e.g. 0.05"},
      {Rate(nan), "learning_rate.base",
       "must be a number above 0, not NaN; e.g. 0.05"},
      {Rate(infinity), "learning_rate.base",
       "must be above 0 and at most 1e6, not inf; e.g. 0.05"},
      {[](JobSpec& s) { s.learning_rate.schedule.name = "cosin"; },
       "learning_rate.schedule.cosin",
       "no schedule is called 'cosin'; did you mean 'cosine'?"},
      {[](JobSpec& s) {
         s.learning_rate.schedule = {.name = "cosine",
                                     .parameters = {{"warm_up", "5 percent"}}};
       },
       "learning_rate.schedule.cosine.warm_up",
       "\"5 percent\" is no amount; write \"5%\", \"1 epoch\", \"100 "
       "steps\" or a number of steps"},
      {[](JobSpec& s) { s.epochs = 0; }, "epochs",
       "must be 1 to 1000000, not 0; e.g. 10"},
      {[](JobSpec& s) { s.epochs = -3; }, "epochs",
       "must be 1 to 1000000, not -3; e.g. 10"},
      {[](JobSpec& s) { s.memory_format = "nhwc"; }, "memory_format",
       "'nhwc' is not known; known: auto, contiguous, channels_last"},
      {[](JobSpec& s) { s.evaluate_every = "often"; }, "evaluate.every",
       "\"often\" is no amount; write \"5%\", \"1 epoch\", \"100 steps\" or "
       "a number of steps, or never"},
      {[](JobSpec& s) { s.evaluate_every = "0 epochs"; }, "evaluate.every",
       "must be at least one step, not 0 epochs; e.g. 1 epoch, or never"},
      {[](JobSpec& s) { s.resources.device = "gpu"; }, "resources.device",
       "'gpu' is not known; did you mean 'cpu'?"},
      {[](JobSpec& s) { s.resources.threads = 0; }, "resources.threads",
       "must be 1 to 256, not 0; e.g. 1"},
  };
  for (const BadSpec& bad : cases) {
    JobSpec spec = SmallSpec();
    bad.spoil(spec);

    const auto resolved = ResolveSpec(spec);

    EXPECT_THAT(resolved,
                StatusIs(absl::StatusCode::kInvalidArgument, bad.message));
    EXPECT_EQ(FieldOf(resolved.status()), bad.field) << bad.message;
  }
}

TEST(ResolveSpecTest, TakesTheDeviceThatIsNamedAndTheCpuForAuto) {
  for (const auto& [named, taken] :
       {std::pair("auto", "cpu"), {"cpu", "cpu"}, {"cuda", "cuda"}}) {
    JobSpec spec = SmallSpec();
    spec.resources.device = named;

    SC_ASSERT_OK_AND_ASSIGN(const JobSpec resolved, ResolveSpec(spec));

    EXPECT_EQ(resolved.resources.device, taken);
  }
}

TEST(ResolveSpecTest, NamesTheFirstFieldOfTheSchema) {
  JobSpec spec = SmallSpec();
  spec.epochs = 0;
  spec.data.batch_size = 0;

  EXPECT_EQ(FieldOf(ResolveSpec(spec).status()), "data.batch_size");
}

}  // namespace
}  // namespace stagecoach
