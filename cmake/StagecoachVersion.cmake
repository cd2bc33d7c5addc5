# stagecoach::version: which build this is (core/base/version.h). A library of
# its own, since it changes with each commit and relinks all that stands on it.

set(STAGECOACH_REVISION "" CACHE STRING
  "Git revision to report where there is no .git, as in a container build")

set(revision_header ${PROJECT_BINARY_DIR}/generated/stagecoach_revision.h)
add_custom_target(stagecoach_revision
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE=${PROJECT_SOURCE_DIR}
    "-DHEADER=${revision_header}"
    -DREVISION=${STAGECOACH_REVISION}
    -P ${PROJECT_SOURCE_DIR}/cmake/write_revision.cmake
  BYPRODUCTS ${revision_header}
  COMMENT "Reading the git revision"
  VERBATIM)

string(TOUPPER ${CMAKE_BUILD_TYPE} build_type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}" flags)

stagecoach_library(version
  SOURCES
    ${PROJECT_SOURCE_DIR}/core/base/version.cc
    ${PROJECT_SOURCE_DIR}/core/base/version.h
  PUBLIC absl::strings)
add_dependencies(stagecoach_version stagecoach_revision)
target_include_directories(stagecoach_version
  PRIVATE ${PROJECT_BINARY_DIR}/generated)
target_compile_definitions(stagecoach_version PRIVATE
  STAGECOACH_VERSION="${PROJECT_VERSION}"
  STAGECOACH_BUILD_TYPE="${CMAKE_BUILD_TYPE}"
  STAGECOACH_FLAGS="${flags}"
  STAGECOACH_COMPILER="${CMAKE_CXX_COMPILER_ID}\ ${CMAKE_CXX_COMPILER_VERSION}")
