#include "core/data/gzip.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/idx_bytes.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;

// Long enough for several blocks, and not all alike.
std::string Plain() {
  std::string plain;
  for (int i = 0; i < 200000; ++i) plain.push_back(static_cast<char>(i * i));
  return plain;
}

TEST(InflateTest, GivesBackWhatWasCompressed) {
  SC_ASSERT_OK_AND_ASSIGN(const Inflated all,
                          Inflate(Gzip(Plain()), /*limit=*/1 << 20));

  EXPECT_EQ(all.bytes, Plain());
  EXPECT_FALSE(all.more);
}

TEST(InflateTest, StopsAtTheLimit) {
  SC_ASSERT_OK_AND_ASSIGN(const Inflated start, Inflate(Gzip(Plain()), 100));
  EXPECT_EQ(start.bytes, Plain().substr(0, 100));
  EXPECT_TRUE(start.more);
  SC_ASSERT_OK_AND_ASSIGN(const Inflated exact, Inflate(Gzip(Plain()), 200000));
  EXPECT_FALSE(exact.more);
}

TEST(InflateTest, JoinsMembers) {
  SC_ASSERT_OK_AND_ASSIGN(const Inflated all,
                          Inflate(Gzip("stage") + Gzip("coach"), 100));

  EXPECT_EQ(all.bytes, "stagecoach");
}

TEST(InflateTest, RefusesEveryTruncation) {
  const std::string whole = Gzip("stagecoach, stagecoach");
  for (size_t size = 2; size < whole.size(); ++size) {
    EXPECT_THAT(Inflate(whole.substr(0, size), 100),
                StatusIs(absl::StatusCode::kDataLoss,
                         HasSubstr("ends too early at byte")))
        << size;
  }
}

TEST(InflateTest, RefusesCorruptBytesAndTrailingOnes) {
  std::string corrupt = Gzip(Plain());
  corrupt[corrupt.size() - 6] ^= 1;  // the checksum
  EXPECT_THAT(Inflate(corrupt, 1 << 20),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("is corrupt")));
  const std::string whole = Gzip("stagecoach");
  EXPECT_THAT(Inflate(whole + "x", 100),
              StatusIs(absl::StatusCode::kDataLoss,
                       testing::EndsWith("is followed by other bytes at byte " +
                                         std::to_string(whole.size()))));
}

}  // namespace
}  // namespace stagecoach
