#include "client/grpc/yaml_document.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/file_system.h"
#include "core/base/status_macros.h"
#include "core/grpc/job_file.h"

namespace stagecoach {
namespace {

constexpr int64_t kMaxBytes = (1 << 20) + 1;  // the parser names the limit

class YamlDocument final : public JobDocument {
 public:
  explicit YamlDocument(JobFile file) : file_(std::move(file)) {}

  const JobSpec& spec() const override { return file_.spec; }

  absl::Status Locate(const absl::Status& error) const override {
    return absl::Status(error.code(), Explain(error, file_));
  }

 private:
  const JobFile file_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<JobDocument>> YamlDocumentReader::Read(
    const std::string& path) const {
  const absl::StatusOr<std::string> text =
      PosixFileSystem().Read(path, kMaxBytes);
  if (absl::IsResourceExhausted(text.status())) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is too long; a job file has at most ",
                     kMostYamlBytes, " bytes"));
  }
  if (!text.ok()) return absl::InvalidArgumentError(text.status().message());
  SC_ASSIGN_OR_RETURN(JobFile file, ParseJobFile(*text, path));
  return std::make_unique<YamlDocument>(std::move(file));
}

}  // namespace stagecoach
