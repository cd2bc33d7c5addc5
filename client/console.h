#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace stagecoach {

// Where a command writes. `terminal` and `colours` are about `display`.
struct Console {
  std::ostream& out;  // data: what `--output json` promises to be alone
  std::ostream& err;  // errors, and hints for people
  bool terminal = false;
  bool colours = false;
  int width = 80;  // columns
};

// Lines that stay, and below them a block that is drawn anew in place. Where
// there is no terminal nothing is ever moved or erased: use Print() only.
//
// Thread-confined.
class Screen {
 public:
  explicit Screen(std::ostream& out) : out_(out) {}

  // A line that stays, above the block.
  void Print(absl::string_view line);

  // Replaces the block. No line may be longer than the terminal is wide.
  void Redraw(const std::vector<std::string>& block);

  // Takes the block away.
  void Erase();

 private:
  void Draw();

  std::ostream& out_;
  std::vector<std::string> block_;
  size_t drawn_ = 0;  // lines of the block that are on the terminal
};

}  // namespace stagecoach
