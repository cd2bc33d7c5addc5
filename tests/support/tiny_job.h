#pragma once

#include <filesystem>
#include <string>

#include "core/data/data_source.h"
#include "core/job/job_spec.h"

namespace stagecoach {

// 64 training and 20 test images of 4 x 4 pixels in 4 classes, in IDX files:
// the quadrant that is bright tells the class, so that a small network learns
// them in no time.
DataFacts TinyFacts();
void WriteTinyData(const std::filesystem::path& folder);

// A job on that data: a perceptron of three layers, batches of 8, hence 8 steps
// an epoch; dsp. Nothing is resolved.
JobSpec TinySpec(const std::filesystem::path& data, int64_t stages,
                 int64_t epochs);

// The same as a job file.
std::string TinyYaml(const std::filesystem::path& data, int64_t stages,
                     int64_t epochs);

}  // namespace stagecoach
