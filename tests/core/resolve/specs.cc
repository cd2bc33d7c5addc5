#include "tests/core/resolve/specs.h"

namespace stagecoach {

JobSpec SmallSpec() {
  JobSpec spec;
  spec.name = "small";
  spec.model = {.name = "resnet", .parameters = {{"depth", 8}, {"width", 4}}};
  spec.data.source.name = "fashion_mnist";
  return spec;
}

DataFacts SmallFacts() {
  return {.sample = {1, 28, 28},
          .train_samples = 1000,
          .test_samples = 100,
          .classes = 10};
}

}  // namespace stagecoach
