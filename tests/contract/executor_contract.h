#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/executor.h"
#include "gtest/gtest.h"

namespace stagecoach {

// An executor and what must outlive it.
class ExecutorWorld {
 public:
  virtual ~ExecutorWorld() = default;
  virtual Executor& executor() = 0;
};

struct ExecutorBackend {
  std::string name;
  std::function<std::unique_ptr<ExecutorWorld>()> make;
};

// What every Executor with a thread of its own does. To add a backend, compile
// executor_contract.cc into a test that instantiates this suite with it.
class ExecutorContract : public testing::TestWithParam<ExecutorBackend> {
 protected:
  Executor& executor() { return world_->executor(); }

  std::unique_ptr<ExecutorWorld> world_ = GetParam().make();
};

}  // namespace stagecoach
