#pragma once

#include <google/protobuf/message.h>

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/grpc/yaml_tree.h"
#include "core/job/value.h"
#include "stagecoach/v1/job.pb.h"

namespace stagecoach {

// Fills messages from YAML, field by field of their descriptors, and keeps
// where each field was. The forms are those of ParseJobFile.
//
// Thread-confined: the parsing call.
class JobReader {
 public:
  explicit JobReader(absl::string_view file) : file_(file) {}

  // `path` is the message's own in the file; empty for the whole.
  absl::Status ReadMessage(const YamlNode& node, const std::string& path,
                           google::protobuf::Message* message);

  std::map<std::string, TextPlace> TakePlaces() { return std::move(places_); }

 private:
  using Field = google::protobuf::FieldDescriptor;

  absl::Status ReadEntry(const YamlNode& map, size_t entry,
                         const std::string& path,
                         google::protobuf::Message* message);
  absl::Status ReadField(const YamlNode& node, const std::string& path,
                         const Field& field,
                         google::protobuf::Message* message);
  absl::Status ReadList(const YamlNode& node, const std::string& path,
                        const Field& field, google::protobuf::Message* message);
  absl::Status ReadOne(const YamlNode& node, const std::string& path,
                       const Field& field, google::protobuf::Message* message);
  absl::Status ReadScalar(const YamlNode& node, const std::string& path,
                          const Field& field,
                          google::protobuf::Message* message);
  absl::Status ReadChoice(const YamlNode& node, const std::string& path,
                          v1::Choice* choice);
  absl::Status ReadChoiceEntry(const YamlNode& map, size_t entry,
                               const std::string& path, v1::Choice* choice);
  absl::Status ReadValue(const YamlNode& node, const std::string& path,
                         Value* value);
  absl::Status Error(const YamlNode& node, const std::string& path,
                     absl::string_view message) const;

  const std::string file_;
  std::map<std::string, TextPlace> places_;
};

}  // namespace stagecoach
