#pragma once

#include <utility>
#include <vector>

#include "worker/stage/stage.h"

namespace stagecoach {

// Tells several observers, in the order given. They outlive the list.
//
// Thread-confined: the stage thread.
class ObserverList final : public PassObserver {
 public:
  explicit ObserverList(std::vector<PassObserver*> observers)
      : observers_(std::move(observers)) {}

  void OnPassBegin(Pass pass, ItemId item) override;
  void OnPassEnd(Pass pass, ItemId item) override;
  void OnUpdate(const UpdateRecord& record) override;
  void OnEvaluation(const Evaluation& evaluation) override;
  void OnWait(WaitReason reason) override;

 private:
  const std::vector<PassObserver*> observers_;
};

}  // namespace stagecoach
