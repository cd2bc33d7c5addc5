#pragma once

#include <string>

#include "core/job/job_spec.h"
#include "core/job/job_status.h"
#include "core/session/order.h"
#include "core/session/plan.h"
#include "core/session/report.h"
#include "tests/fakes/fake_random.h"

namespace stagecoach {

// Values with every field drawn at random, for tests that a conversion loses
// nothing. A field that it forgets differs sooner or later.
class RandomValues {
 public:
  explicit RandomValues(uint64_t seed) : random_(seed) {}

  bool Boolean() { return Below(2) == 1; }
  int64_t Below(int64_t bound) {
    return static_cast<int64_t>(random_.Next() % static_cast<uint64_t>(bound));
  }
  int64_t Integer() { return static_cast<int64_t>(random_.Next() >> 12); }
  double Number() { return static_cast<double>(Integer()) / 1024.0 + 0.5; }
  std::string Text() { return "text-" + std::to_string(Integer()); }
  absl::Time Time() { return absl::FromUnixNanos(Integer()); }

  Value AnyValue(int depth = 3);
  Choice AnyChoice();
  JobSpec AnySpec();
  DataFacts AnyFacts();
  Plan AnyPlan();
  Cause AnyCause();
  StageStatus AnyStage();
  TrainingFigures AnyFigures();
  Evaluation AnyEvaluation();
  JobStatus AnyJobStatus();
  JobEvent AnyEvent();
  WorkerStatus AnyWorkerStatus();
  Hello AnyHello();

  JobId Job() { return JobId(Text()); }
  Generation AnyGeneration() { return Generation(Integer()); }

 private:
  FakeRandom random_;
};

}  // namespace stagecoach
