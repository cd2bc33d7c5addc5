#include "core/base/allocator.h"
#include "gtest/gtest.h"

// A bench allocates as a worker does.
int main(int argc, char** argv) {
  stagecoach::ConfigureAllocator();
  testing::InitGoogleTest(&argc, argv);
  stagecoach::PrefaultHeap(int64_t{1} << 30);
  return RUN_ALL_TESTS();
}
