#pragma once

#include <cstdint>

#include "core/resolve/resolved_job.h"

namespace stagecoach {

// How far a stage has come.
struct StageCounts {
  int64_t forwards = 0;
  int64_t backwards = 0;    // also the version: each one updates
  bool recomputed = false;  // the next backward has its graph

  int64_t evaluated = 0;            // newest version whose evaluation is done
  int64_t evaluation_forwards = 0;  // of the evaluation of this version

  friend bool operator==(const StageCounts&, const StageCounts&) = default;
};

enum class StageMove { kForward, kRecompute, kBackward, kEvaluate, kFinished };

// What the stage does next, whatever has arrived: the schedule's move; but at
// a version cut all items of the evaluation first, and before a backward move
// the recomputation, which need not wait for the gradient.
StageMove NextStageMove(const ResolvedJob& job, int stage,
                        const StageCounts& counts);

// The counts after that move.
StageCounts After(StageMove move, const ResolvedJob& job, int stage,
                  StageCounts counts);

}  // namespace stagecoach
