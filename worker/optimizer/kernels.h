#pragma once

#include <cstdint>

namespace stagecoach {

// The steps of docs/definitions.md, section 7, over dense memory: each reads
// and writes every array once. The same bits on every processor: those with
// AVX2 or AVX-512 run the same operations on more elements at a time.

struct SgdNumbers {
  float rate = 0;         // a
  float scaled_rate = 0;  // sa, for SUM only
  float momentum = 0;     // b
  float decay = 0;        // d
};

// `x` is stepped along `gradient`.
void PlainStep(float* x, const float* gradient, int64_t n,
               const SgdNumbers& numbers);
// `velocity` is v.
void HeavyBallStep(float* x, const float* gradient, float* velocity, int64_t n,
                   const SgdNumbers& numbers);
void NesterovStep(float* x, const float* gradient, float* velocity, int64_t n,
                  const SgdNumbers& numbers);
// `previous` is z_prev.
void SumStep(float* x, const float* gradient, float* previous, int64_t n,
             const SgdNumbers& numbers);

// Whether every value is a number of a size below `limit`, which is positive.
bool AllBelow(const float* values, int64_t n, float limit);

}  // namespace stagecoach
