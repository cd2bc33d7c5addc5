#pragma once

#include "core/data/data_source.h"
#include "core/job/job_spec.h"

namespace stagecoach {

// The smallest job: a name, a resnet of 8 layers, Fashion-MNIST.
JobSpec SmallSpec();

// 1,000 training and 100 test samples of 1x28x28 in 10 classes.
DataFacts SmallFacts();

}  // namespace stagecoach
