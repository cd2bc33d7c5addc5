# Every library but LibTorch, all from the distribution's packages.

set(install_hint "run docker/install-dependencies.sh")

# One required package, with the remedy where it is missing.
macro(stagecoach_find package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} is not installed; ${install_hint}")
  endif()
endmacro()

stagecoach_find(Threads)
stagecoach_find(absl CONFIG)
stagecoach_find(CLI11 CONFIG)
stagecoach_find(nlohmann_json CONFIG)
stagecoach_find(OpenSSL)
stagecoach_find(prometheus-cpp CONFIG)
stagecoach_find(spdlog CONFIG)
stagecoach_find(SQLite3)
stagecoach_find(yaml-cpp CONFIG)
stagecoach_find(ZLIB)
if(STAGECOACH_WITH_GRPC)
  stagecoach_find(Protobuf)  # before gRPC, which refers to its targets
  stagecoach_find(gRPC CONFIG)
endif()
if(STAGECOACH_TESTS)
  stagecoach_find(GTest CONFIG)
  stagecoach_find(benchmark CONFIG)
endif()
