#pragma once

#include "core/data/data_source.h"
#include "core/job/job_spec.h"
#include "core/session/report.h"

namespace stagecoach {

// A job of two small stages, unresolved, and data that fits it: 100 samples in
// batches of 10, so an epoch has 10 steps.
JobSpec SmallJob();
DataFacts SmallFacts();

// A worker that knows everything that SmallJob() names.
Hello HelloOf(const std::string& name, int slots = 1, uint64_t incarnation = 1);

}  // namespace stagecoach
