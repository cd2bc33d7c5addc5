#include "core/data/idx.h"

#include <sys/stat.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/idx_bytes.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_folder.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(IdxArrayTest, ReadsSizesAndElements) {
  SC_ASSERT_OK_AND_ASSIGN(
      const IdxArray array,
      IdxArray::Parse(IdxBytes({2, 1, 3}, "abcdef"), "f", 3, 4));

  EXPECT_EQ(array.shape(), (Shape{2, 1, 3}));
  EXPECT_THAT(array.elements(), ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
  EXPECT_EQ(array.header_bytes(), 16);
}

TEST(IdxArrayTest, ReadsFilesCompressedOrNotWhateverTheirName) {
  const TempFolder folder;
  const std::string bytes = IdxBytes({4}, "abcd");
  const std::string paths[] = {folder.Write("plain.gz", bytes),
                               folder.Write("compressed", Gzip(bytes))};
  for (const std::string& path : paths) {
    SC_ASSERT_OK_AND_ASSIGN(const IdxArray array, IdxArray::Read(path, 1, 1));
    EXPECT_THAT(array.elements(), ElementsAre('a', 'b', 'c', 'd'));
  }
}

struct BadFile {
  std::string bytes;
  absl::StatusCode code;
  const char* message;
};

TEST(IdxArrayTest, SaysWhatIsWrongWithAFileAndWhere) {
  const std::string good = IdxBytes({3, 2, 2}, "abcdefghijkl");
  std::string floats = good;
  floats[2] = 0x0d;
  const auto loss = absl::StatusCode::kDataLoss;
  const auto invalid = absl::StatusCode::kInvalidArgument;
  const BadFile cases[] = {
      {"", loss, "ends at byte 0, within its magic number"},
      {good.substr(0, 3), loss, "ends at byte 3, within its magic number"},
      {good.substr(0, 15), loss, "ends at byte 15, within its header"},
      {good.substr(0, 20), loss,
       "ends at byte 20; its header promises 28 bytes (3x2x2)"},
      {good + "x", invalid,
       "byte 28: more bytes follow than its header promises (3x2x2)"},
      {floats, invalid, "byte 0: the magic number is 0x00000d03"},
      {IdxBytes({3}, "abc"), invalid,
       "byte 0: the magic number is 0x00000801; an IDX file of unsigned bytes "
       "with 3 dimensions starts with 0x00000803"},
      {"a job file", invalid, "byte 0: the magic number is 0x61206a6f"},
      {IdxBytes({3, 0, 2}, ""), invalid, "byte 8: dimension 1 is 0"},
      {IdxBytes({0xffffffff, 0xffffffff, 0xffffffff}, ""), invalid,
       "byte 8: dimension 1 is 4294967295, which makes the array larger than "
       "16 GiB"},
  };
  const TempFolder folder;
  for (const BadFile& bad : cases) {
    const std::string plain = folder.Write("plain", bad.bytes);
    EXPECT_THAT(IdxArray::Read(plain, 3, 4),
                StatusIs(bad.code, HasSubstr(plain + ": " + bad.message)));
    const std::string compressed = folder.Write("gz", Gzip(bad.bytes));
    EXPECT_THAT(IdxArray::Read(compressed, 3, 4),
                StatusIs(bad.code, HasSubstr(compressed + ": " + bad.message)));
  }
}

// A header that promises 16 GiB must not make anyone allocate them.
TEST(IdxArrayTest, BelievesNoHeader) {
  const TempFolder folder;
  const std::string bytes = IdxBytes({16, 32768, 32768}, "abc");

  EXPECT_THAT(IdxArray::Read(folder.Write("f", Gzip(bytes)), 3, 4),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("ends at byte 19; its header promises "
                                 "17179869200 bytes")));
}

TEST(IdxArrayTest, NamesTheFileWhoseCompressionIsBroken) {
  const TempFolder folder;
  const std::string whole = Gzip(IdxBytes({4}, "abcd"));
  const std::string path = folder.Write("f", whole.substr(0, 20));

  EXPECT_THAT(IdxArray::Read(path, 1, 1),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr(path + ": compressed data ends too early")));
}

// Reading a pipe would wait for its writer, a device might never end.
TEST(IdxArrayTest, ReadsNoPipesAndDevices) {
  const TempFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);

  for (const std::string& path : {pipe, std::string("/dev/zero")}) {
    EXPECT_THAT(IdxArray::Read(path, 1, 1),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("is a pipe or a device")));
  }
}

TEST(IdxArrayTest, SaysWhenThereIsNoFile) {
  EXPECT_THAT(IdxArray::Read("/nowhere/f", 1, 1),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nowhere/f")));
}

}  // namespace
}  // namespace stagecoach
