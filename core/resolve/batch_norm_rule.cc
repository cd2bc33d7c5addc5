#include "core/resolve/batch_norm_rule.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"

namespace stagecoach {
namespace {

// The batch normalisation with the fewest values per channel and sample; null
// where the model has none.
const PlacedLayer* Tightest(absl::Span<const PlacedLayer> layers) {
  const auto values = [](const PlacedLayer& layer) {
    return ElementsOf(layer.input) / layer.input[0];
  };
  const PlacedLayer* tightest = nullptr;
  const auto consider = [&](const PlacedLayer* layer) {
    if (layer == nullptr) return;
    if (tightest == nullptr || values(*layer) < values(*tightest)) {
      tightest = layer;
    }
  };
  for (const PlacedLayer& layer : layers) {
    if (layer.type == "batch_norm") consider(&layer);
    consider(Tightest(layer.body));
    consider(Tightest(layer.shortcut));
  }
  return tightest;
}

int64_t LastBatch(int64_t samples, int64_t batch_size) {
  const int64_t rest = samples % batch_size;
  return rest == 0 ? batch_size : rest;
}

// The nearest size whose batches all have two samples or more, the smaller
// first; 0 where there is none.
int64_t NearestThatWorks(int64_t samples, int64_t batch_size) {
  const auto works = [samples](int64_t size) {
    return size >= 2 && size <= samples && LastBatch(samples, size) >= 2;
  };
  for (int64_t step = 1; step <= std::max(samples, batch_size); ++step) {
    if (works(batch_size - step)) return batch_size - step;
    if (works(batch_size + step)) return batch_size + step;
  }
  return 0;
}

}  // namespace

absl::Status CheckBatchNorm(absl::Span<const PlacedLayer> units,
                            int64_t train_samples, int64_t batch_size) {
  const PlacedLayer* layer = Tightest(units);
  if (layer == nullptr) return absl::OkStatus();
  const int64_t per_sample = ElementsOf(layer->input) / layer->input[0];
  const int64_t smallest = LastBatch(train_samples, batch_size);
  if (smallest * per_sample > 1) return absl::OkStatus();
  const std::string why =
      batch_size == 1
          ? std::string("a batch of 1 sample")
          : absl::StrCat("the last batch of an epoch (", train_samples,
                         " samples in batches of ", batch_size, " leave 1)");
  const int64_t works = NearestThatWorks(train_samples, batch_size);
  return FieldError(
      "data.batch_size",
      absl::StrCat(why, " gives '", layer->name,
                   "' one value per channel; batch normalisation needs two",
                   works > 0 ? absl::StrCat("; e.g. ", works) : ""));
}

}  // namespace stagecoach
