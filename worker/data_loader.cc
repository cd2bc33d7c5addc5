#include "worker/data_loader.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"
#include "core/base/suggest.h"

namespace stagecoach {
namespace {

DataLoader::Loaded Open(const Choice& source,
                        const DataLoader::Options& options) {
  const auto* type = DataSources().Find(source.name);
  if (type == nullptr) {
    return FieldError(
        absl::StrCat("data.", source.name),
        absl::StrCat("this worker has no data source '", source.name, "'",
                     Suggestion(source.name, DataSources().Names())));
  }
  auto data = (*type)->Open(source.parameters, options.root, options.confined);
  if (!data.ok()) return data.status();
  return std::shared_ptr<const DataSource>(*std::move(data));
}

}  // namespace

DataLoader::DataLoader(Options options, Executor& worker, Executor& slow)
    : options_(std::move(options)), worker_(worker), slow_(slow) {}

void DataLoader::Load(const Choice& source, Done done) {
  if (newest_.has_value() && newest_->source == source) {
    worker_.Post(
        [done = std::move(done), data = newest_->data] { done(data); });
    return;
  }
  newest_.reset();
  slow_.Post([this, source, done = std::move(done)] {
    const Loaded data = Open(source, options_);
    worker_.Post([this, source, done, data] {
      if (data.ok()) newest_ = {.source = source, .data = *data};
      done(data);
    });
  });
}

}  // namespace stagecoach
