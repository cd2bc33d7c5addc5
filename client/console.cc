#include "client/console.h"

#include "absl/strings/str_cat.h"

namespace stagecoach {
namespace {

constexpr char kEraseToEnd[] = "\x1b[J";
// A line that wraps would leave its head behind when the block is erased.
constexpr char kCutLines[] = "\x1b[?7l";
constexpr char kWrapLines[] = "\x1b[?7h";

}  // namespace

void Screen::Print(absl::string_view line) {
  Erase();
  out_ << line << "\n";
  Draw();
}

void Screen::Redraw(const std::vector<std::string>& block) {
  Erase();
  block_ = block;
  Draw();
}

void Screen::Erase() {
  if (drawn_ == 0) return;
  out_ << "\x1b[" << drawn_ << "F" << kEraseToEnd;
  drawn_ = 0;
}

void Screen::Draw() {
  if (!block_.empty()) {
    out_ << kCutLines;
    for (const std::string& line : block_) out_ << line << "\n";
    out_ << kWrapLines;
  }
  drawn_ = block_.size();
  out_.flush();
}

}  // namespace stagecoach
