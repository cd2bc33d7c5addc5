#include "worker/transport/in_process_network.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace stagecoach {
namespace {

class InProcessNetwork final : public LinkNetwork {
 public:
  InProcessNetwork(std::string address, std::shared_ptr<Rendezvous> rendezvous)
      : address_(std::move(address)), rendezvous_(std::move(rendezvous)) {}
  ~InProcessNetwork() override { rendezvous_->ForgetAll(address_); }

  void Expect(const LinkSpec& spec, FrameReceiver& receiver,
              absl::Duration timeout, Done done) override {
    rendezvous_->Expect({.owner = address_,
                         .at = address_,
                         .spec = spec,
                         .receiver = &receiver,
                         .done = std::move(done)},
                        timeout);
  }

  void Connect(const LinkSpec& spec, const std::string& address,
               FrameReceiver& receiver, absl::Duration timeout,
               Done done) override {
    rendezvous_->Connect({.owner = address_,
                          .at = address,
                          .spec = spec,
                          .receiver = &receiver,
                          .done = std::move(done)},
                         timeout);
  }

  void Forget(const JobId& job, Generation generation) override {
    rendezvous_->Forget(address_, job, generation);
  }

 private:
  const std::string address_;
  const std::shared_ptr<Rendezvous> rendezvous_;
};

}  // namespace

InProcessHub::InProcessHub(Executor& executor, FrameMemory& memory)
    : rendezvous_(std::make_shared<Rendezvous>(executor, memory)) {}

std::unique_ptr<LinkNetwork> InProcessHub::Join(std::string address) {
  return std::make_unique<InProcessNetwork>(std::move(address), rendezvous_);
}

void InProcessHub::Sever(const std::string& address) {
  rendezvous_->Sever(address, absl::UnavailableError(absl::StrCat(
                                  "the connection with ", address, " broke")));
}

}  // namespace stagecoach
