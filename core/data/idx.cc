#include "core/data/idx.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/base/file_system.h"
#include "core/base/status_macros.h"
#include "core/data/gzip.h"

namespace stagecoach {
namespace {

constexpr int64_t kMostBytes = int64_t{16} << 30;
constexpr int64_t kMagicBytes = 4;
constexpr int kLongestRank = 4;

int64_t HeaderBytes(int64_t rank) { return kMagicBytes + 4 * rank; }

uint32_t WordAt(absl::string_view bytes, int64_t place) {
  uint32_t word = 0;
  for (const char byte : bytes.substr(static_cast<size_t>(place), 4)) {
    word = word << 8 | static_cast<uint8_t>(byte);
  }
  return word;
}

absl::Status Truncated(absl::string_view file, absl::string_view what) {
  return absl::DataLossError(absl::StrCat(file, ": ", what));
}

absl::Status CheckMagic(absl::string_view bytes, absl::string_view file,
                        int least_rank, int most_rank) {
  const uint32_t magic = WordAt(bytes, 0);
  const int64_t rank = magic & 0xff;
  if (magic >> 8 == 8 && rank >= least_rank && rank <= most_rank) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s: byte 0: the magic number is 0x%08x; an IDX file of unsigned bytes "
      "with %d dimensions starts with 0x%08x",
      std::string(file), magic, least_rank, 0x800 + least_rank));
}

// The sizes out of the header, and that their product is within reason.
absl::StatusOr<Shape> ParseShape(absl::string_view bytes,
                                 absl::string_view file) {
  const int64_t rank = WordAt(bytes, 0) & 0xff;
  if (static_cast<int64_t>(bytes.size()) < HeaderBytes(rank)) {
    return Truncated(file, absl::StrCat("ends at byte ", bytes.size(),
                                        ", within its header"));
  }
  Shape shape;
  int64_t elements = 1;
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t place = kMagicBytes + 4 * i;
    const int64_t size = WordAt(bytes, place);
    shape.push_back(size);
    if (size == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(file, ": byte ", place, ": dimension ", i, " is 0"));
    }
    if (size > kMostBytes / elements) {
      return absl::InvalidArgumentError(
          absl::StrCat(file, ": byte ", place, ": dimension ", i, " is ", size,
                       ", which makes the array larger than 16 GiB"));
    }
    elements *= size;
  }
  return shape;
}

absl::StatusOr<Shape> ParseHeader(absl::string_view bytes,
                                  absl::string_view file, int least_rank,
                                  int most_rank) {
  if (static_cast<int64_t>(bytes.size()) < kMagicBytes) {
    return Truncated(file, absl::StrCat("ends at byte ", bytes.size(),
                                        ", within its magic number"));
  }
  SC_RETURN_IF_ERROR(CheckMagic(bytes, file, least_rank, most_rank));
  return ParseShape(bytes, file);
}

absl::Status Named(absl::string_view file, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(file, ": ", status.message()));
}

// No more than the header asks for, and one byte that tells that there is more.
absl::StatusOr<std::string> InflateArray(absl::string_view compressed,
                                         absl::string_view file, int least_rank,
                                         int most_rank) {
  const absl::StatusOr<Inflated> start =
      Inflate(compressed, HeaderBytes(kLongestRank));
  if (!start.ok()) return Named(file, start.status());
  SC_ASSIGN_OR_RETURN(const Shape shape,
                      ParseHeader(start->bytes, file, least_rank, most_rank));
  absl::StatusOr<Inflated> all =
      Inflate(compressed, HeaderBytes(static_cast<int64_t>(shape.size())) +
                              ElementsOf(shape) + 1);
  if (!all.ok()) return Named(file, all.status());
  return std::move(all->bytes);
}

// Opening a pipe waits for its writer, and reading a device may have no end.
absl::Status CheckPlain(const std::string& path) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  if (kind != std::filesystem::file_type::fifo &&
      kind != std::filesystem::file_type::character) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": is a pipe or a device; data lies in plain files"));
}

}  // namespace

absl::StatusOr<IdxArray> IdxArray::Parse(std::string bytes,
                                         absl::string_view file, int least_rank,
                                         int most_rank) {
  SC_ASSIGN_OR_RETURN(Shape shape,
                      ParseHeader(bytes, file, least_rank, most_rank));
  const int64_t promised =
      HeaderBytes(static_cast<int64_t>(shape.size())) + ElementsOf(shape);
  const auto size = static_cast<int64_t>(bytes.size());
  if (size < promised) {
    return Truncated(
        file, absl::StrCat("ends at byte ", size, "; its header promises ",
                           promised, " bytes (", ToString(shape), ")"));
  }
  if (size > promised) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": byte ", promised,
                     ": more bytes follow than its header promises (",
                     ToString(shape), ")"));
  }
  return IdxArray(std::move(bytes), std::move(shape));
}

absl::StatusOr<IdxArray> IdxArray::Read(const std::string& path, int least_rank,
                                        int most_rank) {
  SC_RETURN_IF_ERROR(CheckPlain(path));
  SC_ASSIGN_OR_RETURN(
      std::string bytes,
      PosixFileSystem().Read(path, kMostBytes + HeaderBytes(kLongestRank)));
  if (IsGzip(bytes)) {
    SC_ASSIGN_OR_RETURN(bytes,
                        InflateArray(bytes, path, least_rank, most_rank));
  }
  return Parse(std::move(bytes), path, least_rank, most_rank);
}

int64_t IdxArray::header_bytes() const {
  return HeaderBytes(static_cast<int64_t>(shape_.size()));
}

absl::Span<const uint8_t> IdxArray::elements() const {
  return absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(bytes_.data()),
                             bytes_.size())
      .subspan(static_cast<size_t>(header_bytes()));
}

}  // namespace stagecoach
