#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/base/named_table.h"
#include "core/base/tensor_bytes.h"
#include "core/job/declaration.h"
#include "core/job/value.h"

namespace stagecoach {

// What the rest of a job must know of its data.
struct DataFacts {
  Shape sample;  // channels, height, width
  int64_t train_samples = 0;
  int64_t test_samples = 0;
  int64_t classes = 0;  // targets are 0 .. classes - 1

  friend bool operator==(const DataFacts&, const DataFacts&) = default;
};

enum class Split { kTrain, kTest };

// Samples with their targets, as stored bytes, all in memory.
//
// Immutable, hence thread-safe.
class DataSource {
 public:
  virtual ~DataSource() = default;

  virtual const DataFacts& facts() const = 0;

  // The bytes of one sample, channels x height x width.
  virtual absl::Span<const uint8_t> Sample(Split split,
                                           int64_t index) const = 0;
  virtual int64_t Target(Split split, int64_t index) const = 0;

  // Stored byte b stands for (b / 255 - mean) / std.
  virtual double mean() const = 0;
  virtual double standard_deviation() const = 0;
};

// What a data source is and how it is opened. Immutable, hence thread-safe.
class DataSourceType {
 public:
  virtual ~DataSourceType() = default;

  virtual const Declaration& declaration() const = 0;

  // Reads and checks everything: headers, lengths, targets. Errors name file,
  // byte and value: kNotFound, kDataLoss (truncated or corrupt),
  // kInvalidArgument. Relative paths start at `root`; with `confined` a path
  // that leaves `root` is kPermissionDenied. `parameters` are resolved.
  virtual absl::StatusOr<std::unique_ptr<const DataSource>> Open(
      const Value& parameters, const std::string& root,
      bool confined) const = 0;

  // Where the data lies, for messages and for knowing whether it is here.
  virtual std::string Path(const Value& parameters) const = 0;
};

const NamedTable<const DataSourceType*>& DataSources();

}  // namespace stagecoach
