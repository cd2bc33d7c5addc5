#include "tests/contract/executor_contract.h"
#include "worker/transport/grpc/data_plane_thread.h"

namespace stagecoach {
namespace {

class DataPlaneWorld final : public ExecutorWorld {
 public:
  DataPlaneWorld() { thread_.Start(); }
  Executor& executor() override { return thread_; }

 private:
  DataPlaneThread thread_{std::make_unique<grpc::CompletionQueue>()};
};

INSTANTIATE_TEST_SUITE_P(
    DataPlane, ExecutorContract,
    testing::Values(ExecutorBackend{
        "DataPlane", [] { return std::make_unique<DataPlaneWorld>(); }}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace stagecoach
