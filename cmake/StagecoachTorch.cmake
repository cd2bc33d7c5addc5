# stagecoach::torch: LibTorch as docker/install-dependencies.sh unpacks it. The
# wheel's own TorchConfig.cmake insists on a full CUDA toolkit even for the CPU.

if(NOT STAGECOACH_WITH_TORCH)
  return()
endif()

set(STAGECOACH_TORCH_VERSION 2.11.0)

if(DEFINED ENV{STAGECOACH_CACHE})
  set(cache_folder $ENV{STAGECOACH_CACHE})
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(cache_folder $ENV{XDG_CACHE_HOME}/stagecoach)
else()
  set(cache_folder $ENV{HOME}/.cache/stagecoach)
endif()
set(torch_folder ${cache_folder}/libtorch-${STAGECOACH_TORCH_VERSION})
set(install_flags "")
if(STAGECOACH_CUDA)
  string(APPEND torch_folder -cuda)
  set(install_flags " --cuda")
endif()
set(STAGECOACH_LIBTORCH "" CACHE PATH "Folder of LibTorch's include/ and lib/")
if(STAGECOACH_LIBTORCH)
  set(torch_folder ${STAGECOACH_LIBTORCH})
endif()

set(torch_libraries torch_cpu c10)
if(STAGECOACH_CUDA)
  list(APPEND torch_libraries torch_cuda c10_cuda)
endif()
foreach(library IN LISTS torch_libraries)
  if(NOT EXISTS ${torch_folder}/lib/lib${library}.so)
    message(FATAL_ERROR
      "${torch_folder}/lib/lib${library}.so does not exist; "
      "${install_hint}${install_flags}")
  endif()
  add_library(stagecoach_${library} SHARED IMPORTED)
  set_target_properties(stagecoach_${library} PROPERTIES
    IMPORTED_LOCATION ${torch_folder}/lib/lib${library}.so)
endforeach()
if(EXISTS ${torch_folder}/include/google)
  message(FATAL_ERROR
    "${torch_folder}/include/google hides the system's Protocol Buffers; "
    "${install_hint}${install_flags}, which leaves it out")
endif()

add_library(stagecoach_torch INTERFACE)
add_library(stagecoach::torch ALIAS stagecoach_torch)
target_include_directories(stagecoach_torch SYSTEM INTERFACE
  ${torch_folder}/include
  ${torch_folder}/include/torch/csrc/api/include)
# Kernels register themselves when their library is loaded; no symbol of
# libtorch_cuda need be named for that.
target_link_options(stagecoach_torch INTERFACE
  LINKER:--no-as-needed LINKER:-rpath-link,${torch_folder}/lib)
list(TRANSFORM torch_libraries PREPEND stagecoach_
  OUTPUT_VARIABLE torch_targets)
target_link_libraries(stagecoach_torch INTERFACE ${torch_targets})
if(STAGECOACH_CUDA)
  # NVIDIA's headers come from the same wheels: no toolkit is needed.
  target_include_directories(stagecoach_torch SYSTEM INTERFACE
    ${torch_folder}/cuda-include)
  target_compile_definitions(stagecoach_torch INTERFACE STAGECOACH_CUDA=1)
endif()

# A compilation of torch takes up to 1.5 GB: at most as many at once as fit.
cmake_host_system_information(RESULT memory_mb QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR torch_jobs "${memory_mb} / 2048")
if(torch_jobs LESS 1)
  set(torch_jobs 1)
endif()
set_property(GLOBAL APPEND PROPERTY JOB_POOLS torch=${torch_jobs})

# Compiled once and shared by every target that names TORCH: these headers cost
# a file ten seconds, or three with it. Their flags must be the same.
add_library(stagecoach_torch_headers OBJECT
  ${PROJECT_SOURCE_DIR}/cmake/torch_headers.cc)
target_link_libraries(stagecoach_torch_headers PRIVATE
  stagecoach::torch stagecoach::build stagecoach::warnings)
target_precompile_headers(stagecoach_torch_headers PRIVATE
  <torch/types.h> <torch/csrc/autograd/autograd.h>)

# Installed programs find the libraries beside them, without the cache.
install(DIRECTORY ${torch_folder}/lib/ DESTINATION lib/stagecoach
  FILES_MATCHING PATTERN "*.so*")
