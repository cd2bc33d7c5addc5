#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/ids.h"
#include "core/data/data_source.h"
#include "core/job/job_status.h"

namespace stagecoach {

// A stage that a worker holds when it says hello, so that a coordinator which
// was restarted knows what runs.
struct RunningStage {
  JobId job;
  Generation generation;
  StageIndex stage;
  int64_t version = 0;

  friend bool operator==(const RunningStage&, const RunningStage&) = default;
};

// The first message of a worker's session.
struct Hello {
  WorkerName name;
  Incarnation incarnation;
  int protocol = 1;
  std::string build;         // must equal that of the job's other workers
  int slots = 1;             // stages that it runs at once
  int64_t memory_bytes = 0;  // for stages
  std::string device;        // "cpu", "cuda"
  std::string data_address;  // "host:port" for neighbours
  // Names by registry: "method", "optimizer", "layer", "model", "data",
  // "augmentation", "learning_rate".
  std::map<std::string, std::vector<std::string>> registries;
  std::vector<RunningStage> running;
  // Serial of the newest order that this incarnation has received; what came
  // after it is sent once more.
  int64_t last_order = 0;

  friend bool operator==(const Hello&, const Hello&) = default;
};

struct DataInspected {
  JobId job;
  Generation generation;
  absl::StatusOr<DataFacts> facts;
};

struct StagesPrepared {
  JobId job;
  Generation generation;
};

// Where a stage stands; newer ones replace older ones that wait to be sent.
struct StageProgressed {
  JobId job;
  Generation generation;
  StageStatus status;
  TrainingFigures training;  // of the last stage
};

// A version cut was evaluated; from the last stage.
struct CutEvaluated {
  JobId job;
  Generation generation;
  Evaluation evaluation;
};

// The stage made all its moves.
struct StageFinished {
  JobId job;
  Generation generation;
  StageStatus status;
  TrainingFigures training;
  std::vector<std::string> digest_lines;  // with newlines; definitions.md, 10
};

// The stage, or the worker on its behalf, cannot go on. `cause.kind` decides
// whether another try makes sense: only kWorkerLost and kLinkLost.
struct StageFailed {
  JobId job;
  Generation generation;
  Cause cause;
};

struct StagesStopped {
  JobId job;
  Generation generation;
};

// The last moves of a stage, one line each, oldest first.
struct FlightRecord {
  JobId job;
  Generation generation;
  StageIndex stage;
  std::vector<std::string> moves;
};

struct LogLine {
  JobId job;
  std::string text;
};

using Report = std::variant<DataInspected, StagesPrepared, StageProgressed,
                            CutEvaluated, StageFinished, StageFailed,
                            StagesStopped, FlightRecord, LogLine>;

}  // namespace stagecoach
