#include "worker/stage/moves.h"

namespace stagecoach {
namespace {

bool EvaluationDue(const ResolvedJob& job, const StageCounts& counts) {
  const int64_t version = counts.backwards;
  return counts.evaluated < version && job.EvaluatesAt(version) &&
         job.evaluation_items() > 0;
}

}  // namespace

StageMove NextStageMove(const ResolvedJob& job, int stage,
                        const StageCounts& counts) {
  if (EvaluationDue(job, counts)) return StageMove::kEvaluate;
  switch (NextMove(job.ScheduleOf(stage), {.forwards = counts.forwards,
                                           .backwards = counts.backwards})) {
    case Move::kForward:
      return StageMove::kForward;
    case Move::kBackward:
      return counts.recomputed ? StageMove::kBackward : StageMove::kRecompute;
    case Move::kFinished:
      break;
  }
  return StageMove::kFinished;
}

StageCounts After(StageMove move, const ResolvedJob& job, int stage,
                  StageCounts counts) {
  switch (move) {
    case StageMove::kForward:
      ++counts.forwards;
      // A pass with a graph serves both directions.
      counts.recomputed = !job.stages[static_cast<size_t>(stage)].recompute;
      break;
    case StageMove::kRecompute:
      counts.recomputed = true;
      break;
    case StageMove::kBackward:
      ++counts.backwards;
      counts.recomputed = false;
      break;
    case StageMove::kEvaluate:
      if (++counts.evaluation_forwards == job.evaluation_items()) {
        counts.evaluated = counts.backwards;
        counts.evaluation_forwards = 0;
      }
      break;
    case StageMove::kFinished:
      break;
  }
  return counts;
}

}  // namespace stagecoach
