#include "core/data/fashion_mnist.h"

#include "core/base/status_macros.h"
#include "core/data/idx_source.h"

namespace stagecoach {
namespace {

class FashionMnist final : public DataSourceType {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<std::unique_ptr<const DataSource>> Open(
      const Value& parameters, const std::string& root,
      bool confined) const override {
    const auto find = [&](const char* name) {
      return IdxPath(Path(parameters), name, root, confined);
    };
    IdxSourceOptions options = {
        .classes = 10,
        .mean = NumberOf(parameters, "mean"),
        .standard_deviation = NumberOf(parameters, "std")};
    SC_ASSIGN_OR_RETURN(options.train_images, find("train-images-idx3-ubyte"));
    SC_ASSIGN_OR_RETURN(options.train_targets, find("train-labels-idx1-ubyte"));
    SC_ASSIGN_OR_RETURN(options.test_images, find("t10k-images-idx3-ubyte"));
    SC_ASSIGN_OR_RETURN(options.test_targets, find("t10k-labels-idx1-ubyte"));
    return OpenIdxSource(options);
  }

  std::string Path(const Value& parameters) const override {
    return TextOf(parameters, "path");
  }

 private:
  const Declaration declaration_ = {
      .name = "fashion_mnist",
      .help = "70,000 grey images of clothes in 10 classes",
      .parameters = {
          {.name = "path",
           .kind = ParameterKind::kText,
           .default_value = "/usr/share/datasets/fashion-mnist",
           .help = "Folder with the four files, compressed or not"},
          {.name = "mean",
           .kind = ParameterKind::kNumber,
           .default_value = 0.2860,
           .help = "Mean of a pixel, taken off"},
          {.name = "std",
           .kind = ParameterKind::kNumber,
           .default_value = 0.3530,
           .minimum = 0,
           .above_minimum = true,
           .help = "Standard deviation of a pixel, divided by"},
      }};
};

}  // namespace

const DataSourceType& FashionMnistSource() {
  static const FashionMnist& type = *new FashionMnist;
  return type;
}

}  // namespace stagecoach
