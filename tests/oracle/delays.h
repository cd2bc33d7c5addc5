#pragma once

#include <cstdint>
#include <memory>
#include <random>

#include "worker/stage/stage.h"
#include "worker/transport/link.h"

namespace stagecoach {

// Loses time at random, a few milliseconds now and then, so that stages and
// links overtake each other in another order each time. Nothing that a run
// computes may notice.
//
// Thread-confined.
class Delay {
 public:
  explicit Delay(uint32_t seed) : random_(seed) {}

  void Lose();

 private:
  std::mt19937 random_;
};

// A stage's observer that delays its passes.
class DelayingObserver final : public PassObserver {
 public:
  explicit DelayingObserver(uint32_t seed) : delay_(seed) {}

  void OnPassBegin(Pass, ItemId) override { delay_.Lose(); }
  void OnPassEnd(Pass, ItemId) override { delay_.Lose(); }
  void OnUpdate(const UpdateRecord&) override {}
  void OnEvaluation(const Evaluation&) override {}

 private:
  Delay delay_;
};

// A link's end that delays what its stage sends. Sends come from one thread.
std::unique_ptr<Link> WithDelays(std::unique_ptr<Link> link, uint32_t seed);

}  // namespace stagecoach
