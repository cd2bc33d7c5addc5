#include "core/base/version.h"

#include "absl/strings/str_cat.h"
#include "stagecoach_revision.h"

namespace stagecoach {

BuildInfo GetBuildInfo() {
  return {.version = STAGECOACH_VERSION,
          .revision = STAGECOACH_REVISION,
          .compiler = STAGECOACH_COMPILER,
          .build_type = STAGECOACH_BUILD_TYPE,
          .flags = STAGECOACH_FLAGS};
}

std::string BuildId() {
  const BuildInfo build = GetBuildInfo();
  return absl::StrCat(build.version, " (", build.revision, ") ", build.compiler,
                      " ", build.build_type, build.flags.empty() ? "" : " ",
                      build.flags);
}

}  // namespace stagecoach
