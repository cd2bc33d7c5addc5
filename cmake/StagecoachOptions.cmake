# What a user may choose, and what every target of ours is compiled with.

option(STAGECOACH_TESTS "Build the tests and benchmarks" ON)
option(STAGECOACH_WITH_TORCH "Build the targets that need LibTorch" ON)
option(STAGECOACH_WITH_GRPC "Build the targets that need gRPC" ON)
option(STAGECOACH_CUDA "Let workers use NVIDIA GPUs" OFF)
option(STAGECOACH_WARNINGS_AS_ERRORS "Stop at the first warning" OFF)
option(STAGECOACH_CCACHE "Compile through ccache where it is installed" ON)
set(STAGECOACH_SANITIZER "" CACHE STRING "address, thread or nothing")
set_property(CACHE STAGECOACH_SANITIZER PROPERTY STRINGS "" address thread)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Torch's headers and the precompiled header reach the cache only with these;
# the base folder lets clones and worktrees share what they compiled.
find_program(STAGECOACH_CCACHE_PROGRAM ccache)
mark_as_advanced(STAGECOACH_CCACHE_PROGRAM)
if(STAGECOACH_CCACHE AND STAGECOACH_CCACHE_PROGRAM
    AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  string(JOIN "," sloppiness
    pch_defines time_macros include_file_mtime include_file_ctime)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=${sloppiness}
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_NOHASHDIR=1
    ${STAGECOACH_CCACHE_PROGRAM})
endif()

# stagecoach::build: the code that is generated. Results are promised to the
# bit, so multiplications and additions are not fused behind the source's back.
# Line tables are kept in every kind of build for symbolised traces; paths in
# messages start at the project root, whichever way the compiler was called.
add_library(stagecoach_build INTERFACE)
add_library(stagecoach::build ALIAS stagecoach_build)
file(RELATIVE_PATH up_to_source ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
target_compile_features(stagecoach_build INTERFACE cxx_std_20)
target_compile_options(stagecoach_build INTERFACE
  -ffp-contract=off
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
  -ffile-prefix-map=${up_to_source}=
  $<$<CONFIG:Release>:-g1>)
if(STAGECOACH_SANITIZER STREQUAL "address")
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined)
elseif(STAGECOACH_SANITIZER STREQUAL "thread")
  set(sanitizers -fsanitize=thread)
elseif(STAGECOACH_SANITIZER)
  message(FATAL_ERROR
    "STAGECOACH_SANITIZER is \"${STAGECOACH_SANITIZER}\"; "
    "use address, thread or leave it empty")
endif()
if(STAGECOACH_SANITIZER)
  target_compile_options(stagecoach_build INTERFACE
    ${sanitizers} -fno-omit-frame-pointer)
  target_link_options(stagecoach_build INTERFACE ${sanitizers})
endif()

# stagecoach::warnings: what the compiler tells us about our own code. GCC 12
# sees overlapping copies in std::string where there are none (its bug 105651).
add_library(stagecoach_warnings INTERFACE)
add_library(stagecoach::warnings ALIAS stagecoach_warnings)
target_compile_options(stagecoach_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual
  -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
  $<$<BOOL:${STAGECOACH_WARNINGS_AS_ERRORS}>:-Werror>)
