#pragma once

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "worker/stage/stage.h"

namespace stagecoach {

// Keeps what a stage reports.
//
// Thread-confined: the stage thread, then the test's.
class RecordingObserver final : public PassObserver {
 public:
  void OnPassBegin(Pass pass, ItemId item) override {
    passes.push_back(absl::StrCat(NameOf(pass), " ", item.value()));
  }
  void OnPassEnd(Pass /*pass*/, ItemId /*item*/) override { ++ended; }
  void OnUpdate(const UpdateRecord& record) override {
    updates.push_back(record);
  }
  void OnEvaluation(const Evaluation& evaluation) override {
    evaluations.push_back(evaluation);
  }
  void OnWait(WaitReason reason) override { waits.push_back(reason); }

  std::vector<std::string> passes;  // "forward 3", as they begin
  size_t ended = 0;
  std::vector<UpdateRecord> updates;
  std::vector<Evaluation> evaluations;
  std::vector<WaitReason> waits;
};

}  // namespace stagecoach
