#include "worker/transport/boundary.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace stagecoach {
namespace {

std::string Describe(const BoundaryTensor& tensor) {
  const TensorType& type = tensor.type;
  std::string text =
      absl::StrCat(NameOf(type.dtype), " ", ToString(type.shape));
  if (type.order != RowMajor(type.shape.size())) {
    absl::StrAppend(&text, " order ", absl::StrJoin(type.order, ","));
  }
  if (tensor.needs_gradient) absl::StrAppend(&text, " with gradient");
  return text;
}

}  // namespace

std::string BoundaryDigest(const std::vector<BoundaryTensor>& tensors) {
  return absl::StrJoin(tensors, "; ",
                       [](std::string* out, const BoundaryTensor& tensor) {
                         absl::StrAppend(out, Describe(tensor));
                       });
}

}  // namespace stagecoach
