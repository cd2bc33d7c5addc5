#include "worker/transport/credit_window.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"

namespace stagecoach {

bool SendWindow::TryTake() {
  if (sent_ - consumed_ >= items_) {
    refused_ = true;
    return false;
  }
  ++sent_;
  return true;
}

absl::StatusOr<bool> SendWindow::Credit(int64_t total) {
  if (total > sent_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "credit for ", total, " items, but only ", sent_, " were sent"));
  }
  consumed_ = std::max(consumed_, total);
  const bool writable = refused_ && sent_ - consumed_ < items_;
  if (writable) refused_ = false;
  return writable;
}

absl::Status ReceiveWindow::Accept() {
  if (accepted_ - consumed_ >= items_) {
    return absl::InvalidArgumentError(
        absl::StrCat("an item beyond the window of ", items_, " items"));
  }
  ++accepted_;
  return absl::OkStatus();
}

void ReceiveWindow::Consume() {
  SC_CHECK(consumed_ < accepted_, "an item was consumed that never came");
  ++consumed_;
}

std::optional<int64_t> ReceiveWindow::TakeCredit() {
  if (told_ == consumed_) return std::nullopt;
  told_ = consumed_;
  return told_;
}

}  // namespace stagecoach
