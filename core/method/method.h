#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/named_table.h"
#include "core/job/declaration.h"
#include "core/job/value.h"

namespace stagecoach {

// What a method makes of one stage.
struct StageMethod {
  // m_k: the schedule's window, the exact staleness after the fill, and one
  // less than the inputs kept.
  int64_t window = 0;

  // The forward pass keeps its input only; a second one with a graph precedes
  // the backward pass. False where one pass with a graph serves both.
  bool recompute = false;

  friend bool operator==(const StageMethod&, const StageMethod&) = default;
};

// What a method is, without a tensor: read by `check`, preflight, partition
// and worker. What it does to weights is an update rule in worker/update, of
// the same name.
//
// Immutable, hence thread-safe.
class Method {
 public:
  virtual ~Method() = default;

  virtual const Declaration& declaration() const = 0;

  // The stages of a pipeline. `parameters` are resolved. A FieldError where
  // the parameters break a rule that spans stages: names the link and why.
  virtual absl::StatusOr<std::vector<StageMethod>> Stages(
      const Value& parameters, int num_stages) const = 0;

  // Whether the result is the same for every partition.
  virtual bool synchronous() const = 0;
};

// Room on the link between stages k and k + 1 for training items, in either
// direction: m_k - m_{k+1} + 1.
int64_t LinkItems(const std::vector<StageMethod>& stages, int lower);

// Room on any link for evaluation items, which go upward only.
inline constexpr int64_t kEvaluationItems = 2;

const NamedTable<const Method*>& Methods();

}  // namespace stagecoach
