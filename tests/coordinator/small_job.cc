#include "tests/coordinator/small_job.h"

namespace stagecoach {

JobSpec SmallJob() {
  JobSpec spec;
  spec.name = "small";
  spec.model = {.name = "mlp", .parameters = {{"sizes", {4, 8, 2}}}};
  spec.data.source = {.name = "fashion_mnist"};
  spec.data.batch_size = 10;
  spec.epochs = 2;
  return spec;
}

DataFacts SmallFacts() {
  return {.sample = {1, 2, 2},
          .train_samples = 100,
          .test_samples = 20,
          .classes = 2};
}

Hello HelloOf(const std::string& name, int slots, uint64_t incarnation) {
  return {.name = WorkerName(name),
          .incarnation = Incarnation(incarnation),
          .build = "build",
          .slots = slots,
          .memory_bytes = int64_t{1} << 30,
          .device = "cpu",
          .data_address = name + ":7071",
          .registries = {{"method", {"bp", "dsp"}},
                         {"optimizer", {"sgd"}},
                         {"layer", {"flatten", "linear", "relu", "sequence"}},
                         {"model", {"mlp"}},
                         {"data", {"fashion_mnist"}},
                         {"learning_rate", {"constant"}}}};
}

}  // namespace stagecoach
