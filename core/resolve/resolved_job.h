#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/data/data_source.h"
#include "core/job/job_spec.h"
#include "core/method/method.h"
#include "core/method/schedule.h"
#include "core/model/model.h"
#include "core/optimizer/learning_rate.h"
#include "core/partition/partition.h"

namespace stagecoach {

// A job with everything derived from its spec and the facts of its data. The
// same spec and facts give the same everywhere: client, coordinator and every
// worker derive it for themselves.
//
// Immutable after ResolveJob, hence thread-safe.
struct ResolvedJob {
  JobSpec spec;  // all defaults filled in; `partition.cuts` in place of a
                 // method, `memory_format` and `device` no longer "auto"
  DataFacts facts;
  Model model;
  std::vector<StageMethod> stages;
  Cuts cuts;
  bool channels_last = false;
  int64_t steps_per_epoch = 0;
  int64_t steps = 0;           // items and updates of the whole job
  int64_t evaluate_every = 0;  // steps; 0: never
  std::shared_ptr<const LearningRate> learning_rate;

  int num_stages() const { return static_cast<int>(stages.size()); }
  Schedule ScheduleOf(int stage) const {
    return {.window = stages[static_cast<size_t>(stage)].window,
            .items = steps};
  }
  absl::Span<const PlacedLayer> UnitsOf(int stage) const;
  int64_t evaluation_items() const;  // batches of the test samples

  // Whether the weights right after the n-th update are evaluated: every
  // `evaluate_every` steps and at the end. Never at version 0.
  bool EvaluatesAt(int64_t version) const;
};

// Checks everything that needs neither data nor cluster, and fills in the
// defaults that depend on neither. FieldError for the first field that is
// wrong, in the order of the file's schema. Idempotent.
absl::StatusOr<JobSpec> ResolveSpec(const JobSpec& spec);

// The whole job. FieldError for what does not fit the data: batch larger than
// the data, classes, shapes between layers, more stages than units, a batch
// that leaves batch normalisation one value per channel.
absl::StatusOr<ResolvedJob> ResolveJob(const JobSpec& spec,
                                       const DataFacts& facts);

// The bytes that a stage needs: weights, gradients, optimizer, buffers, kept
// inputs and the room of its links. For preflight and metrics.
struct StageMemory {
  int64_t weights = 0;  // and their gradients
  int64_t optimizer = 0;
  int64_t inputs = 0;
  int64_t buffers = 0;
  int64_t links = 0;
  int64_t total() const {
    return weights + optimizer + inputs + buffers + links;
  }
};
StageMemory MemoryOf(const ResolvedJob& job, int stage);

// The spec as JSON in the shape of the job file, which reads it back, and
// SHA-256 of that.
Value ToValue(const JobSpec& spec);
std::string SpecDigest(const JobSpec& resolved);

}  // namespace stagecoach
