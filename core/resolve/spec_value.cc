#include <cmath>
#include <utility>

#include "core/digest/sha256.h"
#include "core/resolve/resolved_job.h"

namespace stagecoach {
namespace {

Value ChoiceValue(const Choice& choice) {
  Value value = Value::object();
  value[choice.name] = choice.parameters;
  return value;
}

Value DataValue(const JobSpec::Data& data) {
  Value value = ChoiceValue(data.source);
  value["batch_size"] = data.batch_size;
  Value& augment = value["augment"] = Value::array();
  for (const Choice& choice : data.augment) {
    augment.push_back(ChoiceValue(choice));
  }
  return value;
}

Value PartitionValue(const JobSpec::Partition& partition) {
  Value value = Value::object();
  if (partition.method.empty()) value["cuts"] = partition.cuts;
  if (!partition.method.empty()) value["method"] = partition.method;
  return value;
}

// Whole numbers without a point: the wire has one kind of number, so 5 and 5.0
// must print, and digest, equally.
Value Canonical(Value value) {
  if (value.is_structured()) {
    for (Value& inner : value) inner = Canonical(std::move(inner));
  }
  if (!value.is_number_float()) return value;
  constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53
  const auto number = value.get<double>();
  const bool whole =
      number == std::trunc(number) && std::abs(number) <= kLargestExactInteger;
  return whole ? Value(static_cast<int64_t>(number)) : value;
}

}  // namespace

Value ToValue(const JobSpec& spec) {
  Value value = Value::object();
  value["name"] = spec.name;
  value["seed"] = spec.seed;
  value["model"] = ChoiceValue(spec.model);
  value["data"] = DataValue(spec.data);
  value["method"] = ChoiceValue(spec.method);
  value["stages"] = spec.stages;
  value["partition"] = PartitionValue(spec.partition);
  value["optimizer"] = ChoiceValue(spec.optimizer);
  value["learning_rate"]["base"] = spec.learning_rate.base;
  value["learning_rate"]["schedule"] = ChoiceValue(spec.learning_rate.schedule);
  value["epochs"] = spec.epochs;
  value["memory_format"] = spec.memory_format;
  value["evaluate"]["every"] = spec.evaluate_every;
  value["resources"]["device"] = spec.resources.device;
  value["resources"]["threads"] = spec.resources.threads;
  return Canonical(std::move(value));
}

std::string SpecDigest(const JobSpec& resolved) {
  // What is no text in UTF-8 is refused before anything is digested.
  return Sha256Hex(
      ToValue(resolved).dump(-1, ' ', false, Value::error_handler_t::replace));
}

}  // namespace stagecoach
