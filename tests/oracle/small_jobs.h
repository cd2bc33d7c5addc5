#pragma once

#include <cstdint>

#include "tests/oracle/oracle.h"

namespace stagecoach::oracle {

// Jobs of a second or less, for tests.

// `samples` images of `channels` x 8 x 8: each class has a pattern of its own,
// on which lies noise. The classes can be learned but not at a glance.
Images SyntheticImages(int64_t samples, int64_t classes, int64_t channels,
                       uint32_t seed);

// Four classes of 3 x 8 x 8 images, 110 to train on and 40 to test on, batches
// of 16 with 14 in the last, two epochs, heavy ball. One stage, no model.
OracleJob SmallJob();

OracleJob SmallMlp();     // sizes 192, 24, 20, 4: 3 units
OracleJob SmallResNet();  // depth 8, width 4: 5 units

}  // namespace stagecoach::oracle
