#pragma once

#include <cstdint>

#include "core/base/file_system.h"

namespace stagecoach {

// Bytes that stages may take unless the user says: nine tenths of the machine's
// memory, or of the container's where that is less.
int64_t DefaultMemoryLimit(const FileSystem& files, int64_t physical_bytes);

// Memory of this machine.
int64_t PhysicalMemory();

}  // namespace stagecoach
