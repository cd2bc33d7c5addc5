# The three kinds of target of this project. Folders use these and nothing else.

add_custom_target(programs COMMENT "What ./quickstart runs")

# Sets `result` where the target cannot be built with the chosen options: it, or
# a library of ours that it stands on, needs torch or gRPC.
function(stagecoach_is_left_out result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TORCH" "DEPS")
  get_property(left_out GLOBAL PROPERTY STAGECOACH_LEFT_OUT)
  if(NOT STAGECOACH_WITH_TORCH)
    list(APPEND left_out stagecoach::torch)
  endif()
  if(NOT STAGECOACH_WITH_GRPC)
    list(APPEND left_out stagecoach::proto)
    set(grpc_pattern "^(gRPC|protobuf)::")
  else()
    set(grpc_pattern "^$")
  endif()
  set(${result} FALSE PARENT_SCOPE)
  if(arg_TORCH AND NOT STAGECOACH_WITH_TORCH)
    set(${result} TRUE PARENT_SCOPE)
  endif()
  foreach(dependency IN LISTS arg_DEPS)
    if(dependency IN_LIST left_out OR dependency MATCHES "${grpc_pattern}")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Gives a target of ours the common flags, and torch where it asks for it.
function(stagecoach_configure target torch)
  target_link_libraries(${target}
    PRIVATE stagecoach::build stagecoach::warnings)
  if(torch)
    target_precompile_headers(${target} REUSE_FROM stagecoach_torch_headers)
    set_target_properties(${target} PROPERTIES JOB_POOL_COMPILE torch)
  endif()
endfunction()

# A library: stagecoach::<name>. PUBLIC means "in my headers".
#   stagecoach_library(name SOURCES file... [PUBLIC target...]
#                      [PRIVATE target...] [TORCH])
function(stagecoach_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH" "" "SOURCES;PUBLIC;PRIVATE")
  stagecoach_reject_unknown(${name} ${arg_UNPARSED_ARGUMENTS})
  set(torch ${arg_TORCH})
  stagecoach_is_left_out(left_out
    TORCH ${torch} DEPS ${arg_PUBLIC} ${arg_PRIVATE})
  if(left_out)
    set_property(GLOBAL APPEND PROPERTY
      STAGECOACH_LEFT_OUT stagecoach::${name})
    return()
  endif()

  set(target stagecoach_${name})
  set(compiled ${arg_SOURCES})
  list(FILTER compiled INCLUDE REGEX "\\.(cc|cu)$")
  if(compiled)
    add_library(${target} STATIC ${arg_SOURCES})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target}
      PUBLIC ${arg_PUBLIC}
      PRIVATE ${arg_PRIVATE})
    if(torch)
      target_link_libraries(${target} PUBLIC stagecoach::torch)
    endif()
    stagecoach_configure(${target} ${torch})
  else()
    add_library(${target} INTERFACE ${arg_SOURCES})
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} INTERFACE ${arg_PUBLIC})
    if(torch)
      target_link_libraries(${target} INTERFACE stagecoach::torch)
    endif()
  endif()
  add_library(stagecoach::${name} ALIAS ${target})
endfunction()

# A program of the product: bin/<name>, in the build folder and installed.
#   stagecoach_executable(name SOURCES file... DEPS target... [TORCH])
function(stagecoach_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH" "" "SOURCES;DEPS")
  stagecoach_reject_unknown(${name} ${arg_UNPARSED_ARGUMENTS})
  stagecoach_is_left_out(left_out
    TORCH ${arg_TORCH} DEPS ${arg_DEPS})
  if(left_out)
    return()
  endif()

  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_DEPS})
  if(arg_TORCH)
    target_link_libraries(${name} PRIVATE stagecoach::torch)
  endif()
  stagecoach_configure(${name} ${arg_TORCH})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
    INSTALL_RPATH $ORIGIN/../lib/stagecoach)
  add_dependencies(programs ${name})
  install(TARGETS ${name} DESTINATION bin)
endfunction()

# A test program, one CTest entry. LABEL is unit, lint, contract, cluster,
# simulation, oracle, gpu, bench or long. TIMEOUT is in seconds; each label has a default.
#   stagecoach_test(name LABEL label SOURCES file... [DEPS target...] [TORCH]
#                   [TIMEOUT seconds])
function(stagecoach_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg
    "TORCH" "LABEL;TIMEOUT" "SOURCES;DEPS")
  stagecoach_reject_unknown(${name} ${arg_UNPARSED_ARGUMENTS})
  stagecoach_is_left_out(left_out
    TORCH ${arg_TORCH} DEPS ${arg_DEPS})
  if(left_out)
    return()
  endif()

  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE
    ${arg_DEPS} stagecoach::test_support GTest::gmock)
  if(NOT "benchmark::benchmark_main" IN_LIST arg_DEPS)
    target_link_libraries(${name} PRIVATE GTest::gmock_main)
  endif()
  if(arg_TORCH)
    target_link_libraries(${name} PRIVATE stagecoach::torch)
  endif()
  stagecoach_configure(${name} ${arg_TORCH})
  stagecoach_add_test(${name}
    LABEL ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} COMMAND ${name})
endfunction()

# A CTest entry that runs any command, with the limits of its label.
#   stagecoach_add_test(name LABEL label [TIMEOUT seconds] COMMAND word...)
function(stagecoach_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;TIMEOUT" "COMMAND")
  set(limit_unit 60)
  set(limit_lint 300)
  set(limit_contract 60)
  set(limit_simulation 120)
  set(limit_oracle 300)
  set(limit_cluster 300)
  set(limit_gpu 300)
  set(limit_bench 1800)
  set(limit_long 3600)
  if(NOT DEFINED limit_${arg_LABEL})
    message(FATAL_ERROR "${name}: the label \"${arg_LABEL}\" does not exist")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT ${limit_${arg_LABEL}})
  endif()

  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES
    LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT})
  # Where there is no GPU they are skipped, and not passed.
  if(arg_LABEL STREQUAL "gpu")
    set_tests_properties(${name} PROPERTIES
      SKIP_REGULAR_EXPRESSION "no CUDA device")
  endif()
  # These measure or fill the machine: a neighbour would spoil them.
  if(arg_LABEL MATCHES "^(cluster|gpu|bench)$")
    set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
  endif()
endfunction()

# Stops at a keyword that was misspelt rather than dropping what follows it.
function(stagecoach_reject_unknown name)
  if(ARGN)
    message(FATAL_ERROR "${name}: arguments not understood: ${ARGN}")
  endif()
endfunction()
