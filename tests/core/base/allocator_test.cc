#include "core/base/allocator.h"

#include <sys/resource.h>

#include <cstddef>
#include <cstdlib>
#include <vector>

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

constexpr int64_t kMegabyte = 1 << 20;

int64_t PageFaults() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

// Faults that it takes to write all of some fresh blocks of `bytes` each.
int64_t FaultsToFill(int64_t bytes, int blocks = 1) {
  std::vector<volatile char*> filled;
  const int64_t before = PageFaults();
  for (int i = 0; i < blocks; ++i) {
    filled.push_back(
        static_cast<volatile char*>(std::malloc(static_cast<size_t>(bytes))));
    for (int64_t j = 0; j < bytes; j += 4096) filled.back()[j] = 1;
  }
  const int64_t faults = PageFaults() - before;
  for (volatile char* block : filled) std::free(const_cast<char*>(block));
  return faults;
}

// One test: what a process does to its heap cannot be undone.
TEST(AllocatorTest, HeapKeepsWhatWasPrefaultedAndWhatWasFreed) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers bring a heap of their own";
#endif
  ConfigureAllocator();

  PrefaultHeap(100 * kMegabyte);

  // 90 MB are 23,040 small pages.
  EXPECT_LT(FaultsToFill(90 * kMegabyte), 100);
  FaultsToFill(300 * kMegabyte);
  EXPECT_LT(FaultsToFill(300 * kMegabyte), 100);
  // Nor is there a limit to what is kept.
  FaultsToFill(600 * kMegabyte, /*blocks=*/2);
  EXPECT_LT(FaultsToFill(600 * kMegabyte, /*blocks=*/2), 100);

  BackHeapByHugePages();
  EXPECT_LT(FaultsToFill(600 * kMegabyte, /*blocks=*/2), 100);

  ReleaseHeap();
  EXPECT_GT(FaultsToFill(300 * kMegabyte), 100);
}

}  // namespace
}  // namespace stagecoach
