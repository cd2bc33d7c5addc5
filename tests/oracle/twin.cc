#include "tests/oracle/twin.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tests/oracle/small_jobs.h"

namespace stagecoach {
namespace {

class ImagesInMemory final : public DataSource {
 public:
  explicit ImagesInMemory(const oracle::OracleJob& job)
      : training_(job.training),
        test_(job.test),
        normalisation_(job.normalisation) {
    const auto& labels = training_.labels;
    facts_ = {.sample = {training_.channels, training_.height, training_.width},
              .train_samples = training_.samples(),
              .test_samples = test_.samples(),
              .classes = *std::max_element(labels.begin(), labels.end()) + 1};
  }

  const DataFacts& facts() const override { return facts_; }

  absl::Span<const uint8_t> Sample(Split split, int64_t index) const override {
    const int64_t size = ElementsOf(facts_.sample);
    return absl::MakeConstSpan(ImagesOf(split).pixels)
        .subspan(static_cast<size_t>(index * size), static_cast<size_t>(size));
  }

  int64_t Target(Split split, int64_t index) const override {
    return ImagesOf(split).labels[static_cast<size_t>(index)];
  }

  double mean() const override { return normalisation_.mean.front(); }
  double standard_deviation() const override {
    return normalisation_.std.front();
  }

 private:
  const oracle::Images& ImagesOf(Split split) const {
    return split == Split::kTrain ? training_ : test_;
  }

  const oracle::Images training_;
  const oracle::Images test_;
  const oracle::Normalisation normalisation_;
  DataFacts facts_;
};

Twin TwinOf(Choice model, oracle::OracleJob job) {
  Twin twin = {.oracle = std::move(job)};
  twin.spec.name = "twin";
  twin.spec.seed = twin.oracle.seed;
  twin.spec.model = std::move(model);
  twin.spec.data.source = {.name = "fashion_mnist"};
  twin.spec.data.batch_size = twin.oracle.batch_size;
  twin.spec.epochs = twin.oracle.epochs;
  twin.spec.learning_rate = {
      .base = twin.oracle.rate.base,
      .schedule = {.name = "cosine",
                   .parameters = {{"warm_up", twin.oracle.rate.warm_up}}}};
  twin.spec.resources = {.device = "cpu", .threads = 1};
  twin = WithOptimizer(std::move(twin), {.momentum = 0.9f});
  twin = WithFormat(std::move(twin), at::MemoryFormat::ChannelsLast);
  return WithBp(std::move(twin), {});
}

Twin WithCuts(Twin twin, std::vector<int64_t> cuts) {
  twin.spec.stages = static_cast<int64_t>(cuts.size()) + 1;
  twin.spec.partition = {.cuts = cuts};
  twin.oracle.cuts = std::move(cuts);
  return twin;
}

}  // namespace

Twin MlpTwin() {
  return TwinOf({.name = "mlp",
                 .parameters = {{"sizes", Value::array({192, 24, 20, 4})}}},
                oracle::SmallMlp());
}

Twin ResNetTwin() {
  return TwinOf({.name = "resnet",
                 .parameters = {{"depth", 8}, {"width", 4}, {"classes", 4}}},
                oracle::SmallResNet());
}

Twin GreyResNetTwin() {
  Twin twin = ResNetTwin();
  twin.oracle.units = oracle::ResNet(8, 4, 4, 1);
  twin.oracle.training = oracle::SyntheticImages(110, 4, 1, 2);
  twin.oracle.test = oracle::SyntheticImages(40, 4, 1, 3);
  return twin;
}

Twin WithBp(Twin twin, std::vector<int64_t> cuts) {
  twin = WithCuts(std::move(twin), std::move(cuts));
  twin.spec.method = {.name = "bp"};
  twin.oracle.bp = true;
  return twin;
}

Twin WithDsp(Twin twin, std::vector<int64_t> cuts,
             std::vector<int64_t> staleness) {
  twin = WithCuts(std::move(twin), std::move(cuts));
  twin.spec.method = {.name = "dsp", .parameters = {{"staleness", staleness}}};
  twin.oracle.bp = false;
  twin.oracle.staleness = std::move(staleness);
  return twin;
}

Twin WithOptimizer(Twin twin, const oracle::Optimizer& optimizer) {
  using Kind = oracle::Optimizer::Kind;
  Value parameters = {
      {"momentum", static_cast<double>(optimizer.momentum)},
      {"weight_decay", static_cast<double>(optimizer.weight_decay)}};
  if (optimizer.kind == Kind::kNesterov) parameters["nesterov"] = true;
  if (optimizer.kind == Kind::kSum) parameters["sum"] = optimizer.s;
  twin.spec.optimizer = {.name = "sgd", .parameters = parameters};
  twin.oracle.optimizer = optimizer;
  return twin;
}

Twin WithAugmentation(Twin twin) {
  using Kind = oracle::Augmentation::Kind;
  twin.spec.data.augment = {
      {.name = "random_crop", .parameters = {{"padding", 2}}},
      {.name = "horizontal_flip"}};
  twin.oracle.augmentations = {{Kind::kRandomCrop, 2}, {Kind::kHorizontalFlip}};
  return twin;
}

Twin WithSeed(Twin twin, uint64_t seed) {
  twin.spec.seed = seed;
  twin.oracle.seed = seed;
  return twin;
}

Twin WithEpochs(Twin twin, int64_t epochs) {
  twin.spec.epochs = epochs;
  twin.oracle.epochs = epochs;
  return twin;
}

Twin WithBatchSize(Twin twin, int64_t batch_size) {
  twin.spec.data.batch_size = batch_size;
  twin.oracle.batch_size = batch_size;
  return twin;
}

Twin WithThreads(Twin twin, int threads) {
  twin.spec.resources.threads = threads;
  twin.oracle.threads = threads;
  return twin;
}

Twin WithFormat(Twin twin, at::MemoryFormat format) {
  const bool channels_last = format == at::MemoryFormat::ChannelsLast;
  twin.spec.memory_format = channels_last ? "channels_last" : "contiguous";
  twin.oracle.format = format;
  return twin;
}

std::shared_ptr<const DataSource> DataOf(const Twin& twin) {
  return std::make_shared<ImagesInMemory>(twin.oracle);
}

}  // namespace stagecoach
