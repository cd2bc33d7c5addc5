#include "core/digest/sha256.h"

#include <openssl/evp.h>

#include <array>

#include "absl/strings/escaping.h"
#include "core/base/check.h"

namespace stagecoach {

struct Sha256::State {
  State() : context(EVP_MD_CTX_new()) {
    SC_CHECK(context != nullptr, "out of memory");
    SC_CHECK(EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1,
             "OpenSSL has no SHA-256");
  }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  EVP_MD_CTX* context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::Update(absl::Span<const std::byte> bytes) {
  SC_CHECK(state_ != nullptr, "the digest is finished");
  SC_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1,
           "OpenSSL refuses an update");
}

void Sha256::Update(absl::string_view text) {
  Update(absl::MakeConstSpan(reinterpret_cast<const std::byte*>(text.data()),
                             text.size()));
}

std::string Sha256::Finish() {
  SC_CHECK(state_ != nullptr, "the digest is finished");
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  SC_CHECK(EVP_DigestFinal_ex(state_->context, digest.data(), &size) == 1,
           "OpenSSL refuses to finish");
  state_.reset();
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(digest.data()), size));
}

std::string Sha256Hex(absl::Span<const std::byte> bytes) {
  Sha256 digest;
  digest.Update(bytes);
  return digest.Finish();
}

std::string Sha256Hex(absl::string_view text) {
  Sha256 digest;
  digest.Update(text);
  return digest.Finish();
}

}  // namespace stagecoach
