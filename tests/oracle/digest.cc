#include "tests/oracle/digest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace stagecoach::oracle {
namespace {

// The standard's constants: the first 32 bits of the fractional parts of the
// roots of the first primes.
std::vector<uint32_t> RootsOfPrimes(size_t count,
                                    long double (*root)(long double)) {
  std::vector<uint32_t> fractions;
  for (int n = 2; fractions.size() < count; ++n) {
    bool prime = true;
    for (int d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    if (!prime) continue;
    const long double value = root(n);
    fractions.push_back((value - std::floor(value)) * 0x1p32L);
  }
  return fractions;
}

uint32_t BigEndian(const std::string& bytes, size_t first) {
  uint32_t word = 0;
  for (size_t j = 0; j < 4; ++j) {
    word = word << 8 | static_cast<uint8_t>(bytes[first + j]);
  }
  return word;
}

void Compress(const std::string& bytes, size_t first,
              std::array<uint32_t, 8>& hash) {
  static const std::vector<uint32_t> k =
      RootsOfPrimes(64, [](long double n) { return std::cbrt(n); });
  std::array<uint32_t, 64> w;
  for (size_t t = 0; t < 64; ++t) {
    if (t < 16) {
      w[t] = BigEndian(bytes, first + 4 * t);
      continue;
    }
    const uint32_t p = w[t - 15];
    const uint32_t q = w[t - 2];
    w[t] = w[t - 16] + w[t - 7] +
           (std::rotr(p, 7) ^ std::rotr(p, 18) ^ p >> 3) +
           (std::rotr(q, 17) ^ std::rotr(q, 19) ^ q >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (size_t t = 0; t < 64; ++t) {
    const uint32_t first_sum =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
        ((e & f) ^ (~e & g)) + k[t] + w[t];
    const uint32_t second_sum =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
        ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first_sum;
    d = c;
    c = b;
    b = a;
    a = first_sum + second_sum;
  }
  const std::array<uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (size_t j = 0; j < 8; ++j) hash[j] += added[j];
}

std::string ShapeText(const std::vector<int64_t>& shape) {
  std::string text;
  for (int64_t size : shape) {
    if (!text.empty()) text += 'x';
    text += std::to_string(size);
  }
  return text;
}

}  // namespace

std::string Sha256(const std::string& bytes) {
  std::string padded = bytes + '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) {
    padded += static_cast<char>((uint64_t{bytes.size()} * 8) >> shift);
  }
  const std::vector<uint32_t> start =
      RootsOfPrimes(8, [](long double n) { return std::sqrt(n); });
  std::array<uint32_t, 8> hash;
  std::copy(start.begin(), start.end(), hash.begin());
  for (size_t j = 0; j < padded.size(); j += 64) Compress(padded, j, hash);
  std::string text;
  for (uint32_t word : hash) {
    for (int shift = 28; shift >= 0; shift -= 4) {
      text += "0123456789abcdef"[word >> shift & 15];
    }
  }
  return text;
}

std::vector<std::string> DigestLines(const std::vector<TensorSpec>& specs,
                                     const Tensors& tensors) {
  std::vector<std::string> lines;
  for (const TensorSpec& spec : specs) {
    const at::Tensor values = tensors.at(spec.name).contiguous();
    const std::string bytes(static_cast<const char*>(values.const_data_ptr()),
                            values.nbytes());
    lines.push_back(spec.name + " float32 " + ShapeText(spec.shape) + " " +
                    Sha256(bytes) + "\n");
  }
  return lines;
}

std::string DigestOf(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return Sha256(text);
}

}  // namespace stagecoach::oracle
