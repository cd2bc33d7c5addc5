#include "worker/optimizer/kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>

// Compiled once for each kind of processor; the loader takes the best. All of
// them fuse where std::fma says so and nowhere else (-ffp-contract=off).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SC_FOR_EACH_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SC_FOR_EACH_PROCESSOR
#endif

namespace stagecoach {
namespace {

// G of the definitions. Without decay it is g itself: fma(0, x, g) would turn
// -0 into 0 and an infinite x into no number.
template <bool kDecay>
[[gnu::always_inline]] inline float Decayed(float decay, float x, float g) {
  return kDecay ? std::fma(decay, x, g) : g;
}

template <bool kDecay>
[[gnu::always_inline]] inline void Plain(float* __restrict x,
                                         const float* __restrict g, int64_t n,
                                         const SgdNumbers& numbers) {
  const auto [a, sa, b, d] = numbers;
  for (int64_t i = 0; i < n; ++i) {
    x[i] = std::fma(-a, Decayed<kDecay>(d, x[i], g[i]), x[i]);
  }
}

template <bool kDecay>
[[gnu::always_inline]] inline void HeavyBall(float* __restrict x,
                                             const float* __restrict g,
                                             float* __restrict v, int64_t n,
                                             const SgdNumbers& numbers) {
  const auto [a, sa, b, d] = numbers;
  for (int64_t i = 0; i < n; ++i) {
    v[i] = b * v[i] + Decayed<kDecay>(d, x[i], g[i]);
    x[i] = std::fma(-a, v[i], x[i]);
  }
}

template <bool kDecay>
[[gnu::always_inline]] inline void Nesterov(float* __restrict x,
                                            const float* __restrict g,
                                            float* __restrict v, int64_t n,
                                            const SgdNumbers& numbers) {
  const auto [a, sa, b, d] = numbers;
  for (int64_t i = 0; i < n; ++i) {
    const float gradient = Decayed<kDecay>(d, x[i], g[i]);
    v[i] = b * v[i] + gradient;
    x[i] = std::fma(-a, std::fma(b, v[i], gradient), x[i]);
  }
}

template <bool kDecay>
[[gnu::always_inline]] inline void Sum(float* __restrict x,
                                       const float* __restrict g,
                                       float* __restrict z_prev, int64_t n,
                                       const SgdNumbers& numbers) {
  const auto [a, sa, b, d] = numbers;
  for (int64_t i = 0; i < n; ++i) {
    const float gradient = Decayed<kDecay>(d, x[i], g[i]);
    const float y = std::fma(-a, gradient, x[i]);
    const float z = std::fma(-sa, gradient, x[i]);
    x[i] = std::fma(b, z - z_prev[i], y);
    z_prev[i] = z;
  }
}

}  // namespace

SC_FOR_EACH_PROCESSOR
void PlainStep(float* x, const float* gradient, int64_t n,
               const SgdNumbers& numbers) {
  numbers.decay == 0 ? Plain<false>(x, gradient, n, numbers)
                     : Plain<true>(x, gradient, n, numbers);
}

SC_FOR_EACH_PROCESSOR
void HeavyBallStep(float* x, const float* gradient, float* velocity, int64_t n,
                   const SgdNumbers& numbers) {
  numbers.decay == 0 ? HeavyBall<false>(x, gradient, velocity, n, numbers)
                     : HeavyBall<true>(x, gradient, velocity, n, numbers);
}

SC_FOR_EACH_PROCESSOR
void NesterovStep(float* x, const float* gradient, float* velocity, int64_t n,
                  const SgdNumbers& numbers) {
  numbers.decay == 0 ? Nesterov<false>(x, gradient, velocity, n, numbers)
                     : Nesterov<true>(x, gradient, velocity, n, numbers);
}

SC_FOR_EACH_PROCESSOR
void SumStep(float* x, const float* gradient, float* previous, int64_t n,
             const SgdNumbers& numbers) {
  numbers.decay == 0 ? Sum<false>(x, gradient, previous, n, numbers)
                     : Sum<true>(x, gradient, previous, n, numbers);
}

// Without their sign, bits of floats are ordered as the floats are, with NaN
// after infinity.
SC_FOR_EACH_PROCESSOR
bool AllBelow(const float* values, int64_t n, float limit) {
  uint32_t largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::bit_cast<uint32_t>(values[i]) << 1);
  }
  return largest < std::bit_cast<uint32_t>(limit) << 1;
}

}  // namespace stagecoach
