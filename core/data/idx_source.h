#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/data/data_source.h"

namespace stagecoach {

// The four files of a data set in the IDX format, and what is known of it.
struct IdxSourceOptions {
  std::string train_images;
  std::string train_targets;
  std::string test_images;
  std::string test_targets;
  int64_t classes = 0;  // 0: one more than the largest target
  double mean = 0;
  double standard_deviation = 1;
};

// Reads and checks all four. Errors as in DataSourceType::Open.
absl::StatusOr<std::unique_ptr<const DataSource>> OpenIdxSource(
    const IdxSourceOptions& options);

// `name` in `folder` as DataPath finds it, or `name`.gz where only that is
// there. kNotFound names both.
absl::StatusOr<std::string> IdxPath(const std::string& folder,
                                    const std::string& name,
                                    const std::string& root, bool confined);

}  // namespace stagecoach
