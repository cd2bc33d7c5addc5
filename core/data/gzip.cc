#include "core/data/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "core/base/check.h"

namespace stagecoach {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's way to ask for gzip alone

// zlib counts in 32 bits: gives it the next piece of what is left.
void Refill(z_stream* stream, absl::string_view* rest) {
  if (stream->avail_in > 0) return;
  const size_t size = std::min<size_t>(rest->size(), size_t{1} << 30);
  stream->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest->data()));
  stream->avail_in = static_cast<uInt>(size);
  rest->remove_prefix(size);
}

absl::Status Broken(const char* how, size_t byte) {
  return absl::DataLossError(
      absl::StrCat("compressed data ", how, " at byte ", byte));
}

}  // namespace

bool IsGzip(absl::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

absl::StatusOr<Inflated> Inflate(absl::string_view compressed, int64_t limit) {
  z_stream stream = {};
  SC_CHECK(inflateInit2(&stream, kGzipWindow) == Z_OK, "out of memory");
  const absl::Cleanup end = [&stream] { inflateEnd(&stream); };
  absl::string_view rest = compressed;
  const auto place = [&] {
    return compressed.size() - rest.size() - stream.avail_in;
  };
  const auto wanted = static_cast<size_t>(limit);
  Inflated result;
  std::array<char, 1 << 16> block;
  while (true) {
    Refill(&stream, &rest);
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    const int code = inflate(&stream, Z_NO_FLUSH);
    const size_t made = block.size() - stream.avail_out;
    const size_t room = wanted - result.bytes.size();
    result.bytes.append(block.data(), std::min(made, room));
    result.more = made > room;
    if (result.more) return result;
    if (code == Z_STREAM_END) {
      if (stream.avail_in == 0 && rest.empty()) return result;
      // A file may hold several compressed members one after another.
      if (!IsGzip(compressed.substr(place()))) {
        return Broken("is followed by other bytes", place());
      }
      inflateReset(&stream);
    } else if (code == Z_BUF_ERROR || (code == Z_OK && stream.avail_in == 0 &&
                                       rest.empty() && made == 0)) {
      return Broken("ends too early", place());
    } else if (code != Z_OK) {
      return Broken("is corrupt", place());
    }
  }
}

}  // namespace stagecoach
