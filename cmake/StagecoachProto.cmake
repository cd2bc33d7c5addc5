# stagecoach::<name> from .proto files: messages and gRPC services.
#   stagecoach_proto(name PROTOS file...)     files relative to the folder, which
#                                             is the root that imports start at
function(stagecoach_proto name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PROTOS")
  if(NOT STAGECOACH_WITH_GRPC)
    return()
  endif()

  set(root ${CMAKE_CURRENT_SOURCE_DIR})
  set(output ${CMAKE_CURRENT_BINARY_DIR})
  set(all_protos ${arg_PROTOS})
  list(TRANSFORM all_protos PREPEND ${root}/)
  foreach(proto IN LISTS arg_PROTOS)
    string(REGEX REPLACE "\\.proto$" "" stem ${proto})
    set(files
      ${output}/${stem}.pb.cc ${output}/${stem}.pb.h
      ${output}/${stem}.grpc.pb.cc ${output}/${stem}.grpc.pb.h)
    add_custom_command(
      OUTPUT ${files}
      COMMAND protobuf::protoc
        --proto_path=${root}
        --cpp_out=${output}
        --grpc_out=${output}
        --plugin=protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin>
        ${root}/${proto}
      DEPENDS ${all_protos}
      COMMENT "Generating ${stem}"
      VERBATIM)
    list(APPEND generated ${files})
  endforeach()

  add_library(stagecoach_${name} STATIC ${generated})
  add_library(stagecoach::${name} ALIAS stagecoach_${name})
  # Not our code: no warnings from it, and none from those who include it.
  target_include_directories(stagecoach_${name} SYSTEM PUBLIC ${output})
  target_link_libraries(stagecoach_${name}
    PUBLIC protobuf::libprotobuf gRPC::grpc++
    PRIVATE stagecoach::build)
endfunction()
