#include "client/supervised_child.h"

#include <signal.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "client/exit_code.h"

namespace stagecoach {

SupervisedChild::SupervisedChild(std::string name,
                                 ChildProcess::Options options, Seams seams)
    : name_(std::move(name)),
      options_(std::move(options)),
      seams_(std::move(seams)) {}

void SupervisedChild::Start() {
  if (stopping_) return;
  started_ = seams_.clock.Now();
  auto process = ChildProcess::Start(
      options_, seams_.lifeline, [this](const ExitStatus& status) {
        seams_.executor.Post([this, status] { OnExit(status); });
      });
  if (!process.ok()) return GiveUp(std::string(process.status().message()));
  process_ = *std::move(process);
}

void SupervisedChild::SetCommand(std::vector<std::string> command) {
  options_.command = std::move(command);
}

void SupervisedChild::OnExit(const ExitStatus& status) {
  process_.reset();
  if (stopping_) {
    if (stopped_ != nullptr) std::exchange(stopped_, nullptr)();
    return;
  }
  if (status.signal == 0 && status.code == kExitUsage) {
    return GiveUp("it refused its configuration");
  }
  const std::optional<absl::Duration> delay =
      policy_.AfterLifeOf(seams_.clock.Now() - started_);
  if (!delay.has_value()) {
    return GiveUp(
        absl::StrCat("it keeps ending, at last with ", status.ToString()));
  }
  seams_.executor.PostAfter(*delay, [this] { Start(); });
}

void SupervisedChild::GiveUp(const std::string& why) {
  stopping_ = true;
  seams_.given_up(absl::InternalError(
      absl::StrCat(name_, ": ", why, "; its log: ", options_.log)));
}

void SupervisedChild::Stop(absl::Duration patience,
                           std::function<void()> stopped) {
  stopping_ = true;
  if (process_ == nullptr) return stopped();
  stopped_ = std::move(stopped);
  process_->Signal(SIGTERM);
  seams_.executor.PostAfter(patience, [this] {
    if (process_ != nullptr) process_->Signal(SIGKILL);
  });
}

}  // namespace stagecoach
