#pragma once

#include <filesystem>
#include <string>

#include "absl/strings/string_view.h"
#include "core/base/tensor_bytes.h"

namespace stagecoach {

// An IDX file of unsigned bytes with this header, whatever follows it.
std::string IdxBytes(const Shape& shape, absl::string_view elements);

// Writes one.
void WriteIdx(const std::filesystem::path& path, const Shape& shape,
              absl::string_view elements);

// Compressed as `gzip` does.
std::string Gzip(absl::string_view bytes);

}  // namespace stagecoach
