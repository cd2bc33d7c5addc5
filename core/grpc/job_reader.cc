#include "core/grpc/job_reader.h"

#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"
#include "core/base/suggest.h"
#include "core/data/data_source.h"
#include "core/grpc/convert_job.h"

namespace stagecoach {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using Kind = YamlNode::Kind;

constexpr size_t kLongestNumber = 60;

std::string Below(const std::string& path, absl::string_view name) {
  return path.empty() ? std::string(name) : absl::StrCat(path, ".", name);
}

std::string Described(const YamlNode& node) {
  switch (node.kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kScalar: {
      // Numbers as they were written: 2.0, and 1e3.
      const Value value = ScalarValue(node);
      return value.is_number() ? node.text.substr(0, kLongestNumber)
                               : Shown(value);
    }
    case Kind::kList:
      return "a list";
    case Kind::kMap:
      return "a map";
  }
  return "";
}

bool IsChoice(const FieldDescriptor& field) {
  return field.message_type() == v1::Choice::descriptor();
}

// The field whose choice stands among the fields of its message; null where
// there is none.
const FieldDescriptor* InlineChoice(const Descriptor& message) {
  const FieldDescriptor* field = message.FindFieldByName("source");
  return field != nullptr && IsChoice(*field) ? field : nullptr;
}

std::vector<std::string> KnownNames(const Descriptor& message) {
  std::vector<std::string> names;
  const FieldDescriptor* inline_choice = InlineChoice(message);
  for (int i = 0; i < message.field_count(); ++i) {
    if (message.field(i) == inline_choice) continue;
    names.push_back(message.field(i)->name());
  }
  if (inline_choice != nullptr) {
    for (std::string& name : DataSources().Names()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

// Adds to a repeated field, sets any other.
struct Target {
  Message* message;
  const FieldDescriptor* field;

  const Reflection& reflection() const { return *message->GetReflection(); }

  Message* NewMessage() const {
    return field->is_repeated() ? reflection().AddMessage(message, field)
                                : reflection().MutableMessage(message, field);
  }
  void Put(int64_t number) const {
    field->is_repeated() ? reflection().AddInt64(message, field, number)
                         : reflection().SetInt64(message, field, number);
  }
  void Put(uint64_t number) const {
    field->is_repeated() ? reflection().AddUInt64(message, field, number)
                         : reflection().SetUInt64(message, field, number);
  }
  void Put(double number) const {
    field->is_repeated() ? reflection().AddDouble(message, field, number)
                         : reflection().SetDouble(message, field, number);
  }
  void Put(bool flag) const {
    field->is_repeated() ? reflection().AddBool(message, field, flag)
                         : reflection().SetBool(message, field, flag);
  }
  void Put(const std::string& text) const {
    field->is_repeated() ? reflection().AddString(message, field, text)
                         : reflection().SetString(message, field, text);
  }
};

// Puts the value where it fits the field's type. Empty, or what was expected.
absl::string_view PutScalar(const Value& value, const std::string& text,
                            const Target& target) {
  switch (target.field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      if (!value.is_number_integer() ||
          (value.is_number_unsigned() &&
           value.get<uint64_t>() > std::numeric_limits<int64_t>::max())) {
        return "an integer";
      }
      target.Put(value.get<int64_t>());
      return "";
    case FieldDescriptor::CPPTYPE_UINT64:
      if (!value.is_number_integer() ||
          (!value.is_number_unsigned() && value.get<int64_t>() < 0)) {
        return "an integer from 0 to 2^64 - 1";
      }
      target.Put(value.get<uint64_t>());
      return "";
    case FieldDescriptor::CPPTYPE_DOUBLE:
      if (!value.is_number()) return "a number";
      target.Put(value.get<double>());
      return "";
    case FieldDescriptor::CPPTYPE_BOOL:
      if (!value.is_boolean()) return "true or false";
      target.Put(value.get<bool>());
      return "";
    default:
      // A text takes what was written: `every: 100`, `name: 2024`.
      target.Put(text);
      return "";
  }
}

}  // namespace

absl::Status JobReader::Error(const YamlNode& node, const std::string& path,
                              absl::string_view message) const {
  const auto place = places_.find(path);
  return ErrorAt(file_, place == places_.end() ? node.place : place->second,
                 path, message);
}

absl::Status JobReader::ReadMessage(const YamlNode& node,
                                    const std::string& path, Message* message) {
  places_.try_emplace(path, node.place);
  if (node.kind != Kind::kMap) {
    return Error(
        node, path,
        absl::StrCat("must be a map of fields, not ", Described(node),
                     "; known: ", KnownNames(*message->GetDescriptor())[0],
                     ", ..."));
  }
  for (size_t i = 0; i < node.children.size(); ++i) {
    SC_RETURN_IF_ERROR(ReadEntry(node, i, path, message));
  }
  return absl::OkStatus();
}

absl::Status JobReader::ReadEntry(const YamlNode& map, size_t entry,
                                  const std::string& path, Message* message) {
  const YamlNode::Key& key = map.keys[entry];
  const std::string field_path = Below(path, key.name);
  places_[field_path] = key.place;
  const Descriptor& descriptor = *message->GetDescriptor();
  const FieldDescriptor* inline_choice = InlineChoice(descriptor);
  const FieldDescriptor* field = descriptor.FindFieldByName(key.name);
  if (field != nullptr && field != inline_choice) {
    return ReadField(map.children[entry], field_path, *field, message);
  }
  if (inline_choice == nullptr || DataSources().Find(key.name) == nullptr) {
    return ErrorAt(file_, key.place, field_path,
                   absl::StrCat("no such field",
                                Suggestion(key.name, KnownNames(descriptor))));
  }
  auto* choice = static_cast<v1::Choice*>(
      message->GetReflection()->MutableMessage(message, inline_choice));
  if (!choice->name().empty()) {
    return ErrorAt(
        file_, key.place, field_path,
        absl::StrCat("stands beside ", choice->name(), "; leave one out"));
  }
  return ReadChoiceEntry(map, entry, path, choice);
}

absl::Status JobReader::ReadField(const YamlNode& node, const std::string& path,
                                  const Field& field, Message* message) {
  if (node.kind == Kind::kNull) {
    return Error(node, path, "has no value; give one or leave the field out");
  }
  if (field.is_repeated()) return ReadList(node, path, field, message);
  return ReadOne(node, path, field, message);
}

absl::Status JobReader::ReadList(const YamlNode& node, const std::string& path,
                                 const Field& field, Message* message) {
  if (node.kind != Kind::kList) {
    return Error(node, path,
                 absl::StrCat("must be a list, not ", Described(node)));
  }
  for (size_t i = 0; i < node.children.size(); ++i) {
    const std::string item_path = absl::StrCat(path, "[", i, "]");
    places_[item_path] = node.children[i].place;
    SC_RETURN_IF_ERROR(ReadOne(node.children[i], item_path, field, message));
  }
  return absl::OkStatus();
}

absl::Status JobReader::ReadOne(const YamlNode& node, const std::string& path,
                                const Field& field, Message* message) {
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
    return ReadScalar(node, path, field, message);
  }
  Message* inner = Target{message, &field}.NewMessage();
  if (!IsChoice(field)) return ReadMessage(node, path, inner);
  return ReadChoice(node, path, static_cast<v1::Choice*>(inner));
}

absl::Status JobReader::ReadScalar(const YamlNode& node,
                                   const std::string& path, const Field& field,
                                   Message* message) {
  absl::string_view expected = "a single value";
  if (node.kind == Kind::kScalar) {
    expected = PutScalar(ScalarValue(node), node.text, {message, &field});
  }
  if (expected.empty()) return absl::OkStatus();
  return Error(node, path,
               absl::StrCat("must be ", expected, ", not ", Described(node)));
}

absl::Status JobReader::ReadChoice(const YamlNode& node,
                                   const std::string& path,
                                   v1::Choice* choice) {
  if (node.kind == Kind::kScalar) {
    choice->set_name(node.text);
    choice->mutable_parameters();
    return absl::OkStatus();
  }
  if (node.kind != Kind::kMap || node.keys.empty()) {
    return Error(node, path,
                 absl::StrCat("must be a name, or a name with parameters, "
                              "{name: {...}}, not ",
                              node.kind == Kind::kMap ? "an empty map"
                                                      : Described(node)));
  }
  if (node.keys.size() > 1) {
    return ErrorAt(
        file_, node.keys[1].place, Below(path, node.keys[1].name),
        absl::StrCat("stands beside ", node.keys[0].name, "; leave one out"));
  }
  places_[Below(path, node.keys[0].name)] = node.keys[0].place;
  return ReadChoiceEntry(node, 0, path, choice);
}

absl::Status JobReader::ReadChoiceEntry(const YamlNode& map, size_t entry,
                                        const std::string& path,
                                        v1::Choice* choice) {
  const std::string& name = map.keys[entry].name;
  const YamlNode& parameters = map.children[entry];
  choice->set_name(name);
  choice->mutable_parameters();
  if (parameters.kind == Kind::kNull) return absl::OkStatus();
  const std::string choice_path = Below(path, name);
  if (parameters.kind != Kind::kMap) {
    return Error(
        parameters, choice_path,
        absl::StrCat("must be a map of parameters, not ", Described(parameters),
                     "; e.g. {", name, ": {}}"));
  }
  Value value;
  SC_RETURN_IF_ERROR(ReadValue(parameters, choice_path, &value));
  *choice->mutable_parameters() = ToProto(value).struct_value();
  return absl::OkStatus();
}

absl::Status JobReader::ReadValue(const YamlNode& node, const std::string& path,
                                  Value* value) {
  switch (node.kind) {
    case Kind::kNull:
      return Error(node, path, "has no value; give one or leave it out");
    case Kind::kScalar:
      *value = ScalarValue(node);
      return absl::OkStatus();
    case Kind::kList:
      *value = Value::array();
      for (size_t i = 0; i < node.children.size(); ++i) {
        const std::string item_path = absl::StrCat(path, "[", i, "]");
        places_[item_path] = node.children[i].place;
        value->emplace_back();
        SC_RETURN_IF_ERROR(
            ReadValue(node.children[i], item_path, &value->back()));
      }
      return absl::OkStatus();
    case Kind::kMap:
      *value = Value::object();
      for (size_t i = 0; i < node.children.size(); ++i) {
        const std::string& name = node.keys[i].name;
        const std::string entry_path = Below(path, name);
        places_[entry_path] = node.keys[i].place;
        SC_RETURN_IF_ERROR(
            ReadValue(node.children[i], entry_path, &(*value)[name]));
      }
      return absl::OkStatus();
  }
  return absl::OkStatus();
}

}  // namespace stagecoach
