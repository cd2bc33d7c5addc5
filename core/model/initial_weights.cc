#include "core/model/initial_weights.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/philox.h"

namespace stagecoach {
namespace {

template <typename T>
void FillUniform(const PlacedTensor& tensor, uint64_t seed,
                 absl::Span<T> values) {
  const PhiloxKey key = StreamKey(seed, StreamPurpose::kInitialWeights);
  const double bound = tensor.initialisation.value;
  uint64_t place = static_cast<uint64_t>(tensor.offset);
  PhiloxWords words = {};
  bool fresh = true;
  for (T& value : values) {
    if (fresh || place % 4 == 0) {
      const uint64_t block = place / 4;
      words = Philox(key, {static_cast<uint32_t>(block),
                           static_cast<uint32_t>(block >> 32), 0, 0});
      fresh = false;
    }
    const int32_t u = static_cast<int32_t>(words[place % 4] >> 8) - (1 << 23);
    value = static_cast<T>(bound * u * 0x1p-23);
    ++place;
  }
}

template <typename T>
void Fill(const PlacedTensor& tensor, uint64_t seed, absl::Span<T> values) {
  SC_CHECK(static_cast<int64_t>(values.size()) == tensor.elements(),
           "a tensor and its values differ in size");
  switch (tensor.initialisation.kind) {
    case Initialisation::Kind::kUniform:
      FillUniform(tensor, seed, values);
      return;
    case Initialisation::Kind::kConstant:
      std::fill(values.begin(), values.end(),
                static_cast<T>(tensor.initialisation.value));
      return;
  }
}

}  // namespace

void FillInitial(const PlacedTensor& tensor, uint64_t seed,
                 absl::Span<float> values) {
  Fill(tensor, seed, values);
}

void FillInitial(const PlacedTensor& tensor, uint64_t seed,
                 absl::Span<double> values) {
  Fill(tensor, seed, values);
}

}  // namespace stagecoach
