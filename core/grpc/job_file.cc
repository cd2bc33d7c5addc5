#include "core/grpc/job_file.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/base/field_error.h"
#include "core/base/status_macros.h"
#include "core/grpc/convert_job.h"
#include "core/grpc/job_reader.h"

namespace stagecoach {

std::string JobFile::Where(absl::string_view field) const {
  auto place = places.find(std::string(field));
  while (place == places.end() && !field.empty()) {
    const size_t end = field.find_last_of(".[");
    field = field.substr(0, end == absl::string_view::npos ? 0 : end);
    place = places.find(std::string(field));
  }
  const TextPlace found = place == places.end() ? TextPlace() : place->second;
  return absl::StrCat(name, ":", found.line, ":", found.column);
}

absl::StatusOr<JobFile> ParseJobFile(absl::string_view text,
                                     absl::string_view file_name) {
  SC_ASSIGN_OR_RETURN(const YamlNode root, ParseYaml(text, file_name));
  if (root.kind == YamlNode::Kind::kNull) {
    return ErrorAt(file_name, {}, "",
                   "is empty; a job needs at least name, model and data");
  }
  JobReader reader(file_name);
  v1::JobSpec proto;
  SC_RETURN_IF_ERROR(reader.ReadMessage(root, "", &proto));
  return JobFile{.name = std::string(file_name),
                 .spec = FromProto(proto),
                 .places = reader.TakePlaces()};
}

std::string Explain(const absl::Status& status, const JobFile& file) {
  const std::string field = FieldOf(status);
  const std::string line = field.empty()
                               ? std::string(status.message())
                               : absl::StrCat(file.Where(field), ": ", field,
                                              ": ", status.message());
  return absl::StrReplaceAll(line, {{"\n", " "}, {"\r", " "}});
}

}  // namespace stagecoach
