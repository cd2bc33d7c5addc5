#include "tests/bench/one_stage.h"

#include "core/base/check.h"
#include "tests/fakes/fake_data_source.h"

namespace stagecoach {
namespace {

constexpr int64_t kBatches = 4;

DataFacts FactsOf(int64_t samples) {
  return {.sample = {3, 32, 32},
          .train_samples = kBatches * samples,
          .test_samples = 1,
          .classes = 10};
}

std::shared_ptr<const ResolvedJob> JobOf(int64_t depth, int64_t samples) {
  JobSpec spec;
  spec.name = "bench";
  spec.model = {.name = "resnet", .parameters = {{"depth", depth}}};
  spec.data.source = {.name = "idx", .parameters = {{"path", "memory"}}};
  spec.data.batch_size = samples;
  spec.method = {.name = "bp"};
  spec.stages = 1;
  spec.optimizer = {.name = "sgd",
                    .parameters = {{"momentum", 0.9}, {"weight_decay", 5e-4}}};
  spec.learning_rate.base = 0.01;
  spec.epochs = 1000;
  spec.evaluate_every = "never";
  absl::StatusOr<ResolvedJob> job = ResolveJob(spec, FactsOf(samples));
  SC_CHECK(job.ok(), job.status().ToString());
  return std::make_shared<const ResolvedJob>(*std::move(job));
}

}  // namespace

OneStage::OneStage(int64_t depth, int64_t samples)
    : job_(JobOf(depth, samples)),
      meter_(job_, StageIndex(0), WorkerName("bench"), clock_) {
  TorchStageFactory factory;
  auto stage = factory.Create(
      {.job = job_,
       .id = JobId("bench"),
       .generation = Generation(1),
       .stage = StageIndex(0),
       .data = std::make_shared<FakeDataSource>(FactsOf(samples))},
      meter_);
  SC_CHECK(stage.ok(), stage.status().ToString());
  stage_ = *std::move(stage);
  meter_.Start();
}

void OneStage::TrainOne() {
  const int64_t next = stage_->version() + 1;
  while (stage_->version() < next) {
    const absl::StatusOr<StepResult> result = stage_->Step();
    SC_CHECK(result.ok(), result.status().ToString());
  }
}

}  // namespace stagecoach
