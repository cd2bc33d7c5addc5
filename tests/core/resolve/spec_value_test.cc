#include "core/resolve/resolved_job.h"
#include "gtest/gtest.h"
#include "tests/core/resolve/specs.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

TEST(ToValueTest, HasTheShapeOfTheJobFile) {
  JobSpec spec = SmallSpec();
  spec.data.augment = {{.name = "random_crop"}};
  SC_ASSERT_OK_AND_ASSIGN(const JobSpec resolved, ResolveSpec(spec));

  EXPECT_EQ(ToValue(resolved), Value::parse(R"({
    "name": "small", "seed": 1,
    "model": {"resnet": {"depth": 8, "width": 4}},
    "data": {
      "fashion_mnist": {"path": "/usr/share/datasets/fashion-mnist",
                        "mean": 0.286, "std": 0.353},
      "batch_size": 128, "augment": [{"random_crop": {"padding": 4}}]},
    "method": {"dsp": {"slack": 1}},
    "stages": 2,
    "partition": {"method": "balanced"},
    "optimizer": {"sgd": {"momentum": 0.9, "nesterov": false,
                          "weight_decay": 0}},
    "learning_rate": {"base": 0.05,
                      "schedule": {"constant": {"warm_up": "0%"}}},
    "epochs": 1,
    "memory_format": "auto",
    "evaluate": {"every": "1 epoch"},
    "resources": {"device": "cpu", "threads": 1}})"));
}

TEST(SpecDigestTest, IsTheSameForTheSameJob) {
  JobSpec spelt_out = SmallSpec();
  spelt_out.method.parameters = {{"slack", 1.0}};
  spelt_out.evaluate_every = "1 epochs";
  spelt_out.optimizer.parameters = {{"momentum", 0.9}, {"weight_decay", 0}};
  SC_ASSERT_OK_AND_ASSIGN(const JobSpec one, ResolveSpec(SmallSpec()));
  SC_ASSERT_OK_AND_ASSIGN(const JobSpec other, ResolveSpec(spelt_out));

  EXPECT_EQ(SpecDigest(one), SpecDigest(other));
  EXPECT_EQ(SpecDigest(one).size(), 64);
}

// The wire has one kind of number.
TEST(SpecDigestTest, DoesNotSeeHowANumberTravelled) {
  SC_ASSERT_OK_AND_ASSIGN(JobSpec spec, ResolveSpec(SmallSpec()));
  const std::string digest = SpecDigest(spec);
  spec.optimizer.parameters["weight_decay"] = 0;
  spec.model.parameters["depth"] = 8.0;

  EXPECT_EQ(SpecDigest(spec), digest);
}

TEST(SpecDigestTest, ChangesWithEveryField) {
  SC_ASSERT_OK_AND_ASSIGN(const JobSpec spec, ResolveSpec(SmallSpec()));
  const std::string digest = SpecDigest(spec);
  void (*const changes[])(JobSpec&) = {
      [](JobSpec& s) { s.name = "other"; },
      [](JobSpec& s) { s.seed = 18446744073709551615u; },
      [](JobSpec& s) { s.model.parameters["depth"] = 14; },
      [](JobSpec& s) { s.data.source.name = "idx"; },
      [](JobSpec& s) { s.data.batch_size = 64; },
      [](JobSpec& s) { s.data.augment.push_back({.name = "flip"}); },
      [](JobSpec& s) { s.method.parameters["slack"] = 2; },
      [](JobSpec& s) { s.stages = 3; },
      [](JobSpec& s) {
        s.partition.cuts = {1};
        s.partition.method = "";
      },
      [](JobSpec& s) { s.partition.method = "uniform"; },
      [](JobSpec& s) { s.optimizer.parameters["momentum"] = 0.8; },
      [](JobSpec& s) { s.learning_rate.base = 0.1; },
      [](JobSpec& s) { s.learning_rate.schedule.name = "cosine"; },
      [](JobSpec& s) { s.epochs = 2; },
      [](JobSpec& s) { s.memory_format = "contiguous"; },
      [](JobSpec& s) { s.evaluate_every = "never"; },
      [](JobSpec& s) { s.resources.threads = 2; },
  };
  for (size_t i = 0; i < std::size(changes); ++i) {
    JobSpec changed = spec;
    changes[i](changed);
    EXPECT_NE(SpecDigest(changed), digest) << i;
  }
}

}  // namespace
}  // namespace stagecoach
