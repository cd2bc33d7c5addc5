#include "core/grpc/convert_job.h"

#include <cmath>
#include <utility>

namespace stagecoach {
namespace {

using ::stagecoach::FromProto;
using ::stagecoach::ToProto;

constexpr double kLargestExact = 9007199254740992.0;  // 2^53

Value FromStruct(const google::protobuf::Struct& proto) {
  Value value = Value::object();
  for (const auto& [key, field] : proto.fields()) {
    value[key] = FromProto(field);
  }
  return value;
}

void ToStruct(const Value& value, google::protobuf::Struct& proto) {
  for (const auto& [key, field] : value.items()) {
    (*proto.mutable_fields())[key] = ToProto(field);
  }
}

Value NumberFromProto(double number) {
  if (std::trunc(number) == number && std::abs(number) <= kLargestExact) {
    return static_cast<int64_t>(number);
  }
  return number;
}

v1::Data ToProto(const JobSpec::Data& data) {
  v1::Data proto;
  *proto.mutable_source() = ToProto(data.source);
  proto.set_batch_size(data.batch_size);
  for (const Choice& augmentation : data.augment) {
    *proto.add_augment() = ToProto(augmentation);
  }
  return proto;
}

JobSpec::Data FromProto(const v1::Data& proto) {
  JobSpec::Data data;
  if (proto.has_source()) data.source = FromProto(proto.source());
  if (proto.has_batch_size()) data.batch_size = proto.batch_size();
  for (const v1::Choice& augmentation : proto.augment()) {
    data.augment.push_back(FromProto(augmentation));
  }
  return data;
}

v1::Partition ToProto(const JobSpec::Partition& partition) {
  v1::Partition proto;
  proto.mutable_cuts()->Assign(partition.cuts.begin(), partition.cuts.end());
  proto.set_method(partition.method);
  return proto;
}

JobSpec::Partition FromProto(const v1::Partition& proto) {
  JobSpec::Partition partition;
  partition.cuts.assign(proto.cuts().begin(), proto.cuts().end());
  if (proto.has_method()) partition.method = proto.method();
  return partition;
}

v1::LearningRate ToProto(const JobSpec::LearningRate& rate) {
  v1::LearningRate proto;
  proto.set_base(rate.base);
  *proto.mutable_schedule() = ToProto(rate.schedule);
  return proto;
}

JobSpec::LearningRate FromProto(const v1::LearningRate& proto) {
  JobSpec::LearningRate rate;
  if (proto.has_base()) rate.base = proto.base();
  if (proto.has_schedule()) rate.schedule = FromProto(proto.schedule());
  return rate;
}

v1::Resources ToProto(const JobSpec::Resources& resources) {
  v1::Resources proto;
  proto.set_device(resources.device);
  proto.set_threads(resources.threads);
  return proto;
}

JobSpec::Resources FromProto(const v1::Resources& proto) {
  JobSpec::Resources resources;
  if (proto.has_device()) resources.device = proto.device();
  if (proto.has_threads()) resources.threads = proto.threads();
  return resources;
}

v1::StagePlace ToProto(const StagePlace& place) {
  v1::StagePlace proto;
  proto.set_stage(place.stage.value());
  proto.set_worker(place.worker.value());
  proto.set_incarnation(place.incarnation.value());
  proto.set_data_address(place.data_address);
  return proto;
}

StagePlace FromProto(const v1::StagePlace& proto) {
  return {.stage = StageIndex(proto.stage()),
          .worker = WorkerName(proto.worker()),
          .incarnation = Incarnation(proto.incarnation()),
          .data_address = proto.data_address()};
}

}  // namespace

google::protobuf::Value ToProto(const Value& value) {
  google::protobuf::Value proto;
  if (value.is_boolean()) {
    proto.set_bool_value(value.get<bool>());
  } else if (value.is_number()) {
    proto.set_number_value(value.get<double>());
  } else if (value.is_string()) {
    proto.set_string_value(value.get<std::string>());
  } else if (value.is_array()) {
    proto.mutable_list_value();
    for (const Value& element : value) {
      *proto.mutable_list_value()->add_values() = ToProto(element);
    }
  } else if (value.is_object()) {
    ToStruct(value, *proto.mutable_struct_value());
  } else {
    proto.set_null_value(google::protobuf::NULL_VALUE);
  }
  return proto;
}

Value FromProto(const google::protobuf::Value& proto) {
  switch (proto.kind_case()) {
    case google::protobuf::Value::kBoolValue:
      return proto.bool_value();
    case google::protobuf::Value::kNumberValue:
      return NumberFromProto(proto.number_value());
    case google::protobuf::Value::kStringValue:
      return proto.string_value();
    case google::protobuf::Value::kStructValue:
      return FromStruct(proto.struct_value());
    case google::protobuf::Value::kListValue: {
      Value list = Value::array();
      for (const google::protobuf::Value& element :
           proto.list_value().values()) {
        list.push_back(FromProto(element));
      }
      return list;
    }
    default:
      return nullptr;
  }
}

v1::Choice ToProto(const Choice& choice) {
  v1::Choice proto;
  proto.set_name(choice.name);
  if (!choice.parameters.empty()) {
    ToStruct(choice.parameters, *proto.mutable_parameters());
  }
  return proto;
}

Choice FromProto(const v1::Choice& proto) {
  return {.name = proto.name(), .parameters = FromStruct(proto.parameters())};
}

v1::JobSpec ToProto(const JobSpec& spec) {
  v1::JobSpec proto;
  proto.set_name(spec.name);
  proto.set_seed(spec.seed);
  *proto.mutable_model() = ToProto(spec.model);
  *proto.mutable_data() = ToProto(spec.data);
  *proto.mutable_method() = ToProto(spec.method);
  proto.set_stages(spec.stages);
  *proto.mutable_partition() = ToProto(spec.partition);
  *proto.mutable_optimizer() = ToProto(spec.optimizer);
  *proto.mutable_learning_rate() = ToProto(spec.learning_rate);
  proto.set_epochs(spec.epochs);
  proto.set_memory_format(spec.memory_format);
  proto.mutable_evaluate()->set_every(spec.evaluate_every);
  *proto.mutable_resources() = ToProto(spec.resources);
  return proto;
}

JobSpec FromProto(const v1::JobSpec& proto) {
  JobSpec spec;
  if (proto.has_name()) spec.name = proto.name();
  if (proto.has_seed()) spec.seed = proto.seed();
  if (proto.has_model()) spec.model = FromProto(proto.model());
  spec.data = FromProto(proto.data());
  if (proto.has_method()) spec.method = FromProto(proto.method());
  if (proto.has_stages()) spec.stages = proto.stages();
  spec.partition = FromProto(proto.partition());
  if (proto.has_optimizer()) spec.optimizer = FromProto(proto.optimizer());
  spec.learning_rate = FromProto(proto.learning_rate());
  if (proto.has_epochs()) spec.epochs = proto.epochs();
  if (proto.has_memory_format()) spec.memory_format = proto.memory_format();
  if (proto.evaluate().has_every()) {
    spec.evaluate_every = proto.evaluate().every();
  }
  spec.resources = FromProto(proto.resources());
  return spec;
}

v1::DataFacts ToProto(const DataFacts& facts) {
  v1::DataFacts proto;
  proto.mutable_sample()->Assign(facts.sample.begin(), facts.sample.end());
  proto.set_train_samples(facts.train_samples);
  proto.set_test_samples(facts.test_samples);
  proto.set_classes(facts.classes);
  return proto;
}

DataFacts FromProto(const v1::DataFacts& proto) {
  return {.sample = Shape(proto.sample().begin(), proto.sample().end()),
          .train_samples = proto.train_samples(),
          .test_samples = proto.test_samples(),
          .classes = proto.classes()};
}

v1::Plan ToProto(const Plan& plan) {
  v1::Plan proto;
  proto.set_job(plan.job.value());
  proto.set_generation(plan.generation.value());
  *proto.mutable_spec() = ToProto(plan.spec);
  *proto.mutable_facts() = ToProto(plan.facts);
  for (const StagePlace& place : plan.places) {
    *proto.add_places() = ToProto(place);
  }
  return proto;
}

Plan FromProto(const v1::Plan& proto) {
  Plan plan = {.job = JobId(proto.job()),
               .generation = Generation(proto.generation()),
               .spec = FromProto(proto.spec()),
               .facts = FromProto(proto.facts())};
  for (const v1::StagePlace& place : proto.places()) {
    plan.places.push_back(FromProto(place));
  }
  return plan;
}

}  // namespace stagecoach
