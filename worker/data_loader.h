#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "core/base/executor.h"
#include "core/data/data_source.h"
#include "core/job/value.h"

namespace stagecoach {

// Opens data sources, which may take seconds, off the worker's executor. Keeps
// the newest, so that the stage that follows an inspection finds it open.
//
// Thread-confined: the worker's executor, which also gets the answers.
class DataLoader {
 public:
  struct Options {
    std::string root;       // relative paths start here
    bool confined = false;  // nothing outside the root may be read
  };
  using Loaded = absl::StatusOr<std::shared_ptr<const DataSource>>;
  using Done = std::function<void(Loaded)>;

  // Both executors outlive it, and their tasks end before it does.
  DataLoader(Options options, Executor& worker, Executor& slow);

  // Errors as of DataSourceType::Open; kInvalidArgument when this build knows
  // no such source. `done` is called soon, never from inside this call.
  void Load(const Choice& source, Done done);

  // Keeps the newest no longer.
  void Forget() { newest_.reset(); }

 private:
  struct Newest {
    Choice source;
    std::shared_ptr<const DataSource> data;
  };

  const Options options_;
  Executor& worker_;
  Executor& slow_;
  std::optional<Newest> newest_;
};

}  // namespace stagecoach
