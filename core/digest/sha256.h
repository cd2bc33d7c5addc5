#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace stagecoach {

// SHA-256 of bytes that come in pieces. Any cut into pieces gives the same
// digest.
//
// Thread-confined: whoever holds it.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void Update(absl::Span<const std::byte> bytes);
  void Update(absl::string_view text);

  // The digest as 64 lower-case hexadecimal digits. Ends this object's life:
  // no other call may follow.
  std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The digest of bytes that are all here.
std::string Sha256Hex(absl::Span<const std::byte> bytes);
std::string Sha256Hex(absl::string_view text);

}  // namespace stagecoach
