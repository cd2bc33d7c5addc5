#include "tests/contract/executor_contract.h"

#include "core/base/thread_executor.h"

namespace stagecoach {
namespace {

class ThreadExecutorWorld final : public ExecutorWorld {
 public:
  Executor& executor() override { return executor_; }

 private:
  ThreadExecutor executor_{"test"};
};

INSTANTIATE_TEST_SUITE_P(
    Thread, ExecutorContract,
    testing::Values(ExecutorBackend{
        "Thread", [] { return std::make_unique<ThreadExecutorWorld>(); }}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace stagecoach
