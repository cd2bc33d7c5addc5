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

// Faults that it takes to write all of a fresh block of `bytes`.
int64_t FaultsToFill(int64_t bytes) {
  const int64_t before = PageFaults();
  auto* const block =
      static_cast<volatile char*>(std::malloc(static_cast<size_t>(bytes)));
  for (int64_t i = 0; i < bytes; i += 4096) block[i] = 1;
  const int64_t faults = PageFaults() - before;
  std::free(const_cast<char*>(block));
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
}

}  // namespace
}  // namespace stagecoach
