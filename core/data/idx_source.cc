#include "core/data/idx_source.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/file_system.h"
#include "core/base/status_macros.h"
#include "core/data/data_path.h"
#include "core/data/idx.h"

namespace stagecoach {
namespace {

struct Part {
  IdxArray images;
  IdxArray targets;

  int64_t samples() const { return images.shape()[0]; }
  // Images without channels have one.
  Shape sample() const {
    Shape shape(images.shape().begin() + 1, images.shape().end());
    if (shape.size() == 2) shape.insert(shape.begin(), 1);
    return shape;
  }
};

absl::StatusOr<Part> ReadPart(const std::string& images_path,
                              const std::string& targets_path) {
  SC_ASSIGN_OR_RETURN(
      IdxArray images,
      IdxArray::Read(images_path, /*least_rank=*/3, /*most_rank=*/4));
  SC_ASSIGN_OR_RETURN(
      IdxArray targets,
      IdxArray::Read(targets_path, /*least_rank=*/1, /*most_rank=*/1));
  if (images.shape()[0] != targets.shape()[0]) {
    return absl::InvalidArgumentError(absl::StrCat(
        targets_path, ": byte 4: ", targets.shape()[0], " targets for the ",
        images.shape()[0], " images of ", images_path));
  }
  return Part{.images = std::move(images), .targets = std::move(targets)};
}

int64_t LargestTarget(const Part& part) {
  const absl::Span<const uint8_t> targets = part.targets.elements();
  return *std::max_element(targets.begin(), targets.end());
}

absl::Status CheckTargets(const IdxArray& targets, int64_t classes,
                          const std::string& path) {
  const absl::Span<const uint8_t> elements = targets.elements();
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] < classes) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": byte ", static_cast<size_t>(targets.header_bytes()) + i,
        ": the target of sample ", i, " is ", elements[i], "; targets of ",
        classes, " classes are 0 to ", classes - 1));
  }
  return absl::OkStatus();
}

class IdxSource final : public DataSource {
 public:
  IdxSource(Part train, Part test, const IdxSourceOptions& options,
            int64_t classes)
      : train_(std::move(train)),
        test_(std::move(test)),
        facts_({.sample = train_.sample(),
                .train_samples = train_.samples(),
                .test_samples = test_.samples(),
                .classes = classes}),
        sample_bytes_(static_cast<size_t>(ElementsOf(facts_.sample))),
        mean_(options.mean),
        standard_deviation_(options.standard_deviation) {}

  const DataFacts& facts() const override { return facts_; }

  absl::Span<const uint8_t> Sample(Split split, int64_t index) const override {
    return PartOf(split).images.elements().subspan(
        static_cast<size_t>(index) * sample_bytes_, sample_bytes_);
  }

  int64_t Target(Split split, int64_t index) const override {
    return PartOf(split).targets.elements()[static_cast<size_t>(index)];
  }

  double mean() const override { return mean_; }
  double standard_deviation() const override { return standard_deviation_; }

 private:
  const Part& PartOf(Split split) const {
    return split == Split::kTrain ? train_ : test_;
  }

  const Part train_;
  const Part test_;
  const DataFacts facts_;
  const size_t sample_bytes_;
  const double mean_;
  const double standard_deviation_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<const DataSource>> OpenIdxSource(
    const IdxSourceOptions& options) {
  SC_ASSIGN_OR_RETURN(Part train,
                      ReadPart(options.train_images, options.train_targets));
  SC_ASSIGN_OR_RETURN(Part test,
                      ReadPart(options.test_images, options.test_targets));
  if (train.sample() != test.sample()) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.test_images, ": byte 8: samples are ",
                     ToString(test.sample()), ", those of ",
                     options.train_images, " are ", ToString(train.sample())));
  }
  const int64_t classes =
      options.classes > 0
          ? options.classes
          : 1 + std::max(LargestTarget(train), LargestTarget(test));
  SC_RETURN_IF_ERROR(
      CheckTargets(train.targets, classes, options.train_targets));
  SC_RETURN_IF_ERROR(CheckTargets(test.targets, classes, options.test_targets));
  return std::make_unique<const IdxSource>(std::move(train), std::move(test),
                                           options, classes);
}

absl::StatusOr<std::string> IdxPath(const std::string& folder,
                                    const std::string& name,
                                    const std::string& root, bool confined) {
  const std::string path = (std::filesystem::path(folder) / name).string();
  SC_ASSIGN_OR_RETURN(const std::string plain, DataPath(path, root, confined));
  if (PosixFileSystem().Exists(plain)) return plain;
  SC_ASSIGN_OR_RETURN(const std::string compressed,
                      DataPath(absl::StrCat(path, ".gz"), root, confined));
  if (PosixFileSystem().Exists(compressed)) return compressed;
  return absl::NotFoundError(
      absl::StrCat("neither ", plain, " nor ", plain, ".gz is here"));
}

}  // namespace stagecoach
