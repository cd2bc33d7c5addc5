# Writes HEADER with the git revision of SOURCE, touching it only when it has
# changed, so that a build without news compiles nothing.

if(NOT REVISION)
  execute_process(
    COMMAND git -C ${SOURCE} describe --always --abbrev=12 --dirty
      --match=NeverATag
    OUTPUT_VARIABLE REVISION OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
endif()
if(NOT REVISION)
  set(REVISION unknown)
endif()

file(CONFIGURE OUTPUT ${HEADER} CONTENT
  "#pragma once\n\n#define STAGECOACH_REVISION \"${REVISION}\"\n")
