#include "tests/support/small_job.h"

#include <string>
#include <utility>

#include "core/base/check.h"

namespace stagecoach {

SmallJob SmallMlp(std::vector<int64_t> cuts, std::vector<int64_t> staleness) {
  return {
      .model = {.name = "mlp",
                .parameters = {{"sizes", Value::array({192, 16, 12, 8, 4})}}},
      .cuts = std::move(cuts),
      .staleness = std::move(staleness)};
}

SmallJob SmallResNet(std::vector<int64_t> cuts,
                     std::vector<int64_t> staleness) {
  return {.model = {.name = "resnet",
                    .parameters = {{"depth", 8}, {"width", 4}, {"classes", 4}}},
          .cuts = std::move(cuts),
          .staleness = std::move(staleness)};
}

DataFacts SmallFacts() {
  return {.sample = {3, 8, 8},
          .train_samples = 44,
          .test_samples = 20,
          .classes = 4};
}

std::shared_ptr<const ResolvedJob> Resolved(const SmallJob& job) {
  JobSpec spec;
  spec.name = "small";
  spec.seed = job.seed;
  spec.model = job.model;
  spec.data.source = {.name = "fashion_mnist"};
  spec.data.batch_size = 8;
  spec.stages = static_cast<int64_t>(job.cuts.size()) + 1;
  spec.partition.cuts = job.cuts;
  spec.method =
      job.staleness.empty()
          ? Choice{.name = "bp"}
          : Choice{.name = "dsp", .parameters = {{"staleness", job.staleness}}};
  spec.optimizer = {
      .name = "sgd",
      .parameters = {{"momentum", 0.9}, {"weight_decay", job.weight_decay}}};
  spec.learning_rate.base = job.learning_rate;
  spec.epochs = 2;
  spec.resources.device = "cpu";
  absl::StatusOr<ResolvedJob> resolved = ResolveJob(spec, SmallFacts());
  SC_CHECK(resolved.ok(), std::string(resolved.status().message()));
  return std::make_shared<const ResolvedJob>(*std::move(resolved));
}

}  // namespace stagecoach
