#pragma once

#include "tests/oracle/samples.h"

namespace stagecoach::oracle {

// Fashion-MNIST as Debian's package dataset-fashion-mnist installs it.
Images FashionMnistTraining();
Images FashionMnistTest();

// What the job's data source uses.
Normalisation FashionMnistNormalisation();

// Whether the files are there.
bool HasFashionMnist();

}  // namespace stagecoach::oracle
