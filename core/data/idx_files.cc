#include "core/data/idx_files.h"

#include "core/base/status_macros.h"
#include "core/data/idx_source.h"

namespace stagecoach {
namespace {

Parameter FileName(const char* name, const char* usual, const char* help) {
  return {.name = name,
          .kind = ParameterKind::kText,
          .default_value = usual,
          .help = help};
}

class IdxFiles final : public DataSourceType {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<std::unique_ptr<const DataSource>> Open(
      const Value& parameters, const std::string& root,
      bool confined) const override {
    const auto find = [&](const char* parameter) {
      return IdxPath(Path(parameters), TextOf(parameters, parameter), root,
                     confined);
    };
    IdxSourceOptions options = {
        .classes =
            Has(parameters, "classes") ? IntegerOf(parameters, "classes") : 0,
        .mean = NumberOf(parameters, "mean"),
        .standard_deviation = NumberOf(parameters, "std")};
    SC_ASSIGN_OR_RETURN(options.train_images, find("train_images"));
    SC_ASSIGN_OR_RETURN(options.train_targets, find("train_targets"));
    SC_ASSIGN_OR_RETURN(options.test_images, find("test_images"));
    SC_ASSIGN_OR_RETURN(options.test_targets, find("test_targets"));
    return OpenIdxSource(options);
  }

  std::string Path(const Value& parameters) const override {
    return TextOf(parameters, "path");
  }

 private:
  const Declaration declaration_ = {
      .name = "idx",
      .help = "Images and targets in the IDX format of MNIST",
      .parameters = {
          {.name = "path",
           .kind = ParameterKind::kText,
           .example = "/usr/share/datasets/fashion-mnist",
           .required = true,
           .help = "Folder that the files lie in"},
          FileName("train_images", "train-images-idx3-ubyte",
                   "Images to train on"),
          FileName("train_targets", "train-labels-idx1-ubyte",
                   "Classes of those, one byte each"),
          FileName("test_images", "t10k-images-idx3-ubyte",
                   "Images to evaluate on"),
          FileName("test_targets", "t10k-labels-idx1-ubyte",
                   "Classes of those, one byte each"),
          {.name = "classes",
           .kind = ParameterKind::kInteger,
           .minimum = 1,
           .maximum = 256,
           .help = "Number of classes; one more than the largest target "
                   "unless given"},
          {.name = "mean",
           .kind = ParameterKind::kNumber,
           .default_value = 0.0,
           .help = "Mean of a pixel within 0 to 1, taken off"},
          {.name = "std",
           .kind = ParameterKind::kNumber,
           .default_value = 1.0,
           .minimum = 0,
           .above_minimum = true,
           .help = "Standard deviation of a pixel, divided by"},
      }};
};

}  // namespace

const DataSourceType& IdxFilesSource() {
  static const IdxFiles& type = *new IdxFiles;
  return type;
}

}  // namespace stagecoach
