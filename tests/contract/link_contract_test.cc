#include "tests/contract/link_contract.h"

#include "core/base/thread_executor.h"
#include "worker/transport/in_process_network.h"

namespace stagecoach {
namespace {

class InProcessWorld final : public LinkWorld {
 public:
  LinkNetwork& lower() override { return *lower_; }
  LinkNetwork& upper() override { return *upper_; }
  std::string upper_address() const override { return "upper:1"; }
  void KillUpper() override { hub_.Sever("upper:1"); }

 private:
  ThreadExecutor executor_{"links"};
  AlignedFrameMemory memory_;
  InProcessHub hub_{executor_, memory_};
  std::unique_ptr<LinkNetwork> lower_ = hub_.Join("lower:1");
  std::unique_ptr<LinkNetwork> upper_ = hub_.Join("upper:1");
};

INSTANTIATE_TEST_SUITE_P(
    InProcess, LinkContract,
    testing::Values(LinkBackend{
        "InProcess", [] { return std::make_unique<InProcessWorld>(); }}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace stagecoach
