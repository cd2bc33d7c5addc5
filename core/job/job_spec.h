#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/job/value.h"

namespace stagecoach {

// What a user asks for: the job file as a value, field for field
// (proto/stagecoach/v1/job.proto). Values here are what was written; nothing is
// checked and registries are not consulted. core/resolve turns it into a
// ResolvedJob. Defaults are those of a newcomer.
struct JobSpec {
  struct Data {
    Choice source;  // {fashion_mnist: {...}}
    int64_t batch_size = 128;
    std::vector<Choice> augment;
    friend bool operator==(const Data&, const Data&) = default;
  };
  struct Partition {
    std::vector<int64_t> cuts;  // first unit of stages 1, 2, ...; or empty
    std::string method;         // "balanced" when there are no cuts
    friend bool operator==(const Partition&, const Partition&) = default;
  };
  struct LearningRate {
    double base = 0.05;
    Choice schedule = {.name = "constant"};
    friend bool operator==(const LearningRate&, const LearningRate&) = default;
  };
  struct Resources {
    std::string device = "auto";
    int64_t threads = 1;  // compute threads of each stage
    friend bool operator==(const Resources&, const Resources&) = default;
  };

  std::string name;
  uint64_t seed = 1;
  Choice model;
  Data data;
  Choice method = {.name = "dsp"};
  int64_t stages = 2;
  Partition partition;
  Choice optimizer = {.name = "sgd"};
  LearningRate learning_rate;
  int64_t epochs = 1;
  std::string memory_format = "auto";  // contiguous, channels_last
  std::string evaluate_every = "1 epoch";
  Resources resources;

  friend bool operator==(const JobSpec&, const JobSpec&) = default;
};

}  // namespace stagecoach
