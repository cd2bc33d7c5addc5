#pragma once

#include <compare>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

namespace stagecoach {

// A number that cannot be mixed up with numbers of another kind. Immutable.
template <typename Tag, typename Number = int64_t>
class StrongNumber {
 public:
  constexpr StrongNumber() = default;
  constexpr explicit StrongNumber(Number value) : value_(value) {}

  constexpr Number value() const { return value_; }
  constexpr StrongNumber next() const { return StrongNumber(value_ + 1); }

  friend constexpr auto operator<=>(StrongNumber, StrongNumber) = default;

  template <typename H>
  friend H AbslHashValue(H state, StrongNumber id) {
    return H::combine(std::move(state), id.value_);
  }
  friend std::ostream& operator<<(std::ostream& out, StrongNumber id) {
    return out << id.value_;
  }

 private:
  Number value_ = 0;
};

// A name that cannot be mixed up with names of another kind. Immutable.
template <typename Tag>
class StrongName {
 public:
  StrongName() = default;
  explicit StrongName(std::string value) : value_(std::move(value)) {}

  const std::string& value() const { return value_; }
  bool empty() const { return value_.empty(); }

  friend auto operator<=>(const StrongName&, const StrongName&) = default;

  template <typename H>
  friend H AbslHashValue(H state, const StrongName& name) {
    return H::combine(std::move(state), name.value_);
  }
  friend std::ostream& operator<<(std::ostream& out, const StrongName& name) {
    return out << name.value_;
  }

 private:
  std::string value_;
};

// A stage's place in the pipeline: 0 reads the data, the last has the loss.
using StageIndex = StrongNumber<struct StageIndexTag, int>;

// What flows once forward and once backward; counted over the whole job, or,
// in the evaluation lane, over one evaluation.
using ItemId = StrongNumber<struct ItemIdTag>;

// Serial number of a job's partition plan. Orders and frames of an older one
// are refused.
using Generation = StrongNumber<struct GenerationTag>;

// One life of a worker process, drawn at random when it starts.
using Incarnation = StrongNumber<struct IncarnationTag, uint64_t>;

using JobId = StrongName<struct JobIdTag>;
using WorkerName = StrongName<struct WorkerNameTag>;

}  // namespace stagecoach
