#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/data/data_source.h"
#include "core/job/job_spec.h"
#include "tests/oracle/oracle.h"

namespace stagecoach {

// One job, said twice: to the product as a user says it, and to the oracle.
struct Twin {
  JobSpec spec;
  oracle::OracleJob oracle;
};

// The jobs of tests/oracle/small_jobs.h, on one stage.
Twin MlpTwin();
Twin ResNetTwin();
Twin GreyResNetTwin();  // on images of one channel

// Each changes both sides.
Twin WithBp(Twin twin, std::vector<int64_t> cuts);
Twin WithDsp(Twin twin, std::vector<int64_t> cuts,
             std::vector<int64_t> staleness);
Twin WithOptimizer(Twin twin, const oracle::Optimizer& optimizer);
Twin WithAugmentation(Twin twin);  // a crop, then a flip
Twin WithSeed(Twin twin, uint64_t seed);
Twin WithEpochs(Twin twin, int64_t epochs);
Twin WithBatchSize(Twin twin, int64_t batch_size);
Twin WithFormat(Twin twin, at::MemoryFormat format);
Twin WithThreads(Twin twin, int threads);  // of each stage's kernels

// The twin's images as the product reads data.
std::shared_ptr<const DataSource> DataOf(const Twin& twin);

}  // namespace stagecoach
