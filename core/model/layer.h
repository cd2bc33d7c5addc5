#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/named_table.h"
#include "core/base/tensor_bytes.h"
#include "core/job/declaration.h"
#include "core/job/value.h"

namespace stagecoach {

// A layer as a value: what a job file or a model of the zoo says. `sequence`
// has a body, `residual` a body and a shortcut; the others have neither.
struct LayerSpec {
  std::string name;                    // its part of parameter names: "conv1"
  std::string type;                    // "conv"
  Value parameters = Value::object();  // resolved
  std::vector<LayerSpec> body = {};
  std::vector<LayerSpec> shortcut = {};
};

// How a parameter or buffer starts (docs/definitions.md, section 2).
struct Initialisation {
  enum class Kind { kUniform, kConstant };
  Kind kind = Kind::kConstant;
  double value = 0;  // the bound of kUniform, the constant of kConstant
};

// One tensor of a layer, as its declaration knows it.
struct TensorDeclaration {
  std::string name;  // "weight"
  Shape shape;
  Initialisation initialisation;
};

// What one pass over one sample costs, analytically. Weights are left out of
// memory_bytes: a whole batch reads them once.
struct LayerCost {
  double forward_flops = 0;
  double backward_flops = 0;  // both gradients
  double memory_bytes = 0;    // read and written by a forward pass

  LayerCost& operator+=(const LayerCost& other);
};

// What a type of layer is, without a tensor. Shapes are of one sample: no
// batch dimension. Immutable, hence thread-safe.
class LayerType {
 public:
  virtual ~LayerType() = default;

  virtual const Declaration& declaration() const = 0;

  // A FieldError or kInvalidArgument that says which shape was expected.
  // Called for layers without body and shortcut only.
  virtual absl::StatusOr<Shape> OutputShape(const Value& parameters,
                                            const Shape& input) const = 0;
  virtual std::vector<TensorDeclaration> Parameters(
      const Value& parameters, const Shape& input) const = 0;
  virtual std::vector<TensorDeclaration> Buffers(const Value& parameters,
                                                 const Shape& input) const = 0;
  virtual LayerCost Cost(const Value& parameters, const Shape& input) const = 0;
};

const NamedTable<const LayerType*>& LayerTypes();

}  // namespace stagecoach
