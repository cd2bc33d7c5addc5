#include "worker/transport/backoff.h"

#include "gtest/gtest.h"
#include "tests/fakes/fake_random.h"

namespace stagecoach {
namespace {

class FixedRandom final : public Random {
 public:
  explicit FixedRandom(uint64_t number) : number_(number) {}
  uint64_t Next() override { return number_; }

 private:
  const uint64_t number_;
};

TEST(BackoffTest, WaitsLongerEachTimeUpToTwoSeconds) {
  FixedRandom middle(uint64_t{1} << 63);
  Backoff backoff(middle);

  EXPECT_EQ(backoff.Next(), absl::Milliseconds(50));
  EXPECT_EQ(backoff.Next(), absl::Milliseconds(80));
  EXPECT_EQ(backoff.Next(), absl::Milliseconds(128));
  for (int i = 0; i < 20; ++i) backoff.Next();
  EXPECT_EQ(backoff.Next(), absl::Seconds(2));
}

TEST(BackoffTest, SpreadsByAFifth) {
  FixedRandom least(0);
  FixedRandom most(~uint64_t{0});

  EXPECT_EQ(Backoff(least).Next(), absl::Milliseconds(40));
  EXPECT_GT(Backoff(most).Next(), absl::Milliseconds(59.9));
  EXPECT_LE(Backoff(most).Next(), absl::Milliseconds(60));
}

}  // namespace
}  // namespace stagecoach
