#include "tests/oracle/delays.h"

#include <chrono>
#include <thread>
#include <utility>

namespace stagecoach {
namespace {

class DelayingLink final : public Link {
 public:
  DelayingLink(std::unique_ptr<Link> link, uint32_t seed)
      : link_(std::move(link)), delay_(seed) {}

  absl::Status Send(Frame frame) override {
    delay_.Lose();
    return link_->Send(std::move(frame));
  }
  void Consumed(Lane lane) override { link_->Consumed(lane); }
  void Close() override { link_->Close(); }
  Traffic traffic() const override { return link_->traffic(); }

 private:
  const std::unique_ptr<Link> link_;
  Delay delay_;
};

}  // namespace

void Delay::Lose() {
  using Clock = std::chrono::steady_clock;
  const uint32_t word = random_();
  if (word % 4 != 0) return;
  const auto end = Clock::now() + std::chrono::microseconds(word / 4 % 2000);
  while (Clock::now() < end) std::this_thread::yield();
}

std::unique_ptr<Link> WithDelays(std::unique_ptr<Link> link, uint32_t seed) {
  return std::make_unique<DelayingLink>(std::move(link), seed);
}

}  // namespace stagecoach
