#include "core/digest/sha256.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

// FIPS 180-2, appendix B.
TEST(Sha256Test, GivesThePublishedDigests) {
  EXPECT_EQ(Sha256Hex(absl::string_view("")),
            "e3b0c44298fc1c149afbf4c8996fb924"
            "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex(absl::string_view("abc")),
            "ba7816bf8f01cfea414140de5dae2223"
            "b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67"
            "f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, DoesNotDependOnThePieces) {
  Sha256 digest;
  digest.Update("a");
  digest.Update("");
  digest.Update("bc");

  EXPECT_EQ(digest.Finish(), Sha256Hex(absl::string_view("abc")));
}

TEST(Sha256Test, GoesOnAfterAMove) {
  Sha256 first;
  first.Update("ab");
  Sha256 second = std::move(first);
  second.Update("c");

  EXPECT_EQ(second.Finish(), Sha256Hex(absl::string_view("abc")));
}

}  // namespace
}  // namespace stagecoach
