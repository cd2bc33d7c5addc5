#include "tests/support/idx_bytes.h"

#include <zlib.h>

#include <fstream>

#include "core/base/check.h"

namespace stagecoach {

std::string IdxBytes(const Shape& shape, absl::string_view elements) {
  std::string bytes = {0, 0, 8, static_cast<char>(shape.size())};
  for (const int64_t size : shape) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<char>(size >> shift));
    }
  }
  return bytes + std::string(elements);
}

void WriteIdx(const std::filesystem::path& path, const Shape& shape,
              absl::string_view elements) {
  std::ofstream(path, std::ios::binary) << IdxBytes(shape, elements);
}

std::string Gzip(absl::string_view bytes) {
  z_stream stream = {};
  SC_CHECK(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8,
                        Z_DEFAULT_STRATEGY) == Z_OK,
           "zlib");
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  SC_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace stagecoach
