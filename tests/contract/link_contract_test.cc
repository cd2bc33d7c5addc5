#include "tests/contract/link_contract.h"

#include "core/base/thread_executor.h"
#include "tests/fakes/delaying_network.h"
#include "tests/fakes/fake_random.h"
#include "tests/support/seed.h"
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

// The same where everything takes a random time: what is promised still holds.
class DelayingWorld final : public LinkWorld {
 public:
  LinkNetwork& lower() override { return lower_; }
  LinkNetwork& upper() override { return upper_; }
  std::string upper_address() const override { return "upper:1"; }
  void KillUpper() override { inner_.KillUpper(); }

 private:
  static constexpr absl::Duration kLongest = absl::Milliseconds(2);

  FakeRandom random_{TestSeed()};
  ThreadExecutor executor_{"delays"};
  InProcessWorld inner_;
  DelayingNetwork lower_{inner_.lower(), executor_, random_, kLongest};
  DelayingNetwork upper_{inner_.upper(), executor_, random_, kLongest};
};

INSTANTIATE_TEST_SUITE_P(
    All, LinkContract,
    testing::Values(
        LinkBackend{"InProcess",
                    [] { return std::make_unique<InProcessWorld>(); }},
        LinkBackend{"Delaying",
                    [] { return std::make_unique<DelayingWorld>(); }}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace stagecoach
