#include "core/base/version.h"

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
  std::string id(build.version);
  id.append(" (").append(build.revision).append(") ");
  id.append(build.compiler).append(" ").append(build.build_type);
  if (!build.flags.empty()) id.append(" ").append(build.flags);
  return id;
}

}  // namespace stagecoach
