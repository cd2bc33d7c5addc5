#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/oracle/network.h"
#include "tests/oracle/samples.h"
#include "tests/oracle/update.h"

namespace stagecoach::oracle {

// The independent definition of a run: docs/definitions.md as one process, in
// the plainest way, with LibTorch's kernels and no code of the product. A
// cluster must compute the same bits.

struct OracleJob {
  uint64_t seed = 1;
  std::vector<Unit> units;         // Mlp(...) or ResNet(...)
  std::vector<int64_t> cuts;       // first unit of stages 1, 2, ...
  std::vector<int64_t> staleness;  // m_k of each stage; ignored by `bp`
  bool bp = false;                 // else dsp
  Optimizer optimizer;
  Rate rate;
  int64_t batch_size = 1;
  int64_t epochs = 1;
  std::vector<Augmentation> augmentations;
  Images training;
  Images test;  // empty: no evaluation
  Normalisation normalisation;
  at::MemoryFormat format = at::MemoryFormat::ChannelsLast;
  int threads = 1;  // of every kernel
};

struct Evaluation {
  int64_t version = 0;
  double loss_sum = 0;
  int64_t correct = 0;
  int64_t samples = 0;
};

struct OracleResult {
  std::string weights_digest;
  std::vector<std::string> digest_lines;
  Tensors tensors;  // parameters and buffers
  // Per item, as the last stage saw it.
  std::vector<double> loss_sums;
  std::vector<int64_t> correct;
  // staleness[k][i]: updates of stage k between item i's forward and backward.
  std::vector<std::vector<int64_t>> staleness;
  std::vector<Evaluation> evaluations;  // at each epoch's end
};

// ceil(samples / batch_size).
int64_t BatchesOf(const OracleJob& job);

// N, the items and updates of the whole job.
int64_t ItemsOf(const OracleJob& job);

OracleResult RunOracle(const OracleJob& job);

}  // namespace stagecoach::oracle
