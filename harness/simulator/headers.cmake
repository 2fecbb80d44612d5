# The headers that CUDA programs see in the toolkit's place, put together in one folder:
#
#   cmake -DTO=FOLDER -DFROM=FOLDER;... -P headers.cmake
#
# Copies the include/ folder of each source, and makes the headers that its forwarding_headers.txt lists. Files that are
# up to date stay as they are; files that nothing makes any more are removed.
cmake_minimum_required(VERSION 3.25)

# What is written for a header of each kind. @NAME@: the header; @STEM@: its name without
# folder; @ARGUMENT@: the word behind the kind.
set(empty "")
set(includes "#include <@ARGUMENT@>")
# A header of CUDA's standard library: the packaged one, if Thrust brings one along, else the host's.
set(standard "#include <cuda/__cccl_config>
#if WARPMARK_LIBCUDACXX && __has_include_next(<@NAME@>)
#include_next <@NAME@>
#else
#include \"warpmark_cuda/standard/host_standard.h\"
#endif")
string(REPLACE "#else\n" "#else\n#include <@STEM@>\n" standard_with_host "${standard}")
set(next_after "#include \"@ARGUMENT@\"
#if WARPMARK_LIBCUDACXX && __has_include_next(<@NAME@>)
#include_next <@NAME@>
#endif")
set(thrust "#define WARPMARK_THRUST_HEADER <@NAME@>
#include <warpmark_cuda/standard/thrust_header.h>
#undef WARPMARK_THRUST_HEADER")
# libstdc++ writes __attribute__((__noinline__)), which nvcc's macro of that name would expand.
set(without_noinline "#pragma push_macro(\"__noinline__\")
#undef __noinline__
#include_next <@NAME@>
#pragma pop_macro(\"__noinline__\")")

set(made "")
foreach(source IN LISTS FROM)
  file(GLOB_RECURSE headers RELATIVE ${source}/include ${source}/include/*)
  foreach(header IN LISTS headers)
    file(COPY_FILE ${source}/include/${header} ${TO}/${header} ONLY_IF_DIFFERENT RESULT failed)
    if(failed)  # the first file of its folder
      get_filename_component(folder ${TO}/${header} DIRECTORY)
      file(MAKE_DIRECTORY ${folder})
      file(COPY_FILE ${source}/include/${header} ${TO}/${header} ONLY_IF_DIFFERENT)
    endif()
  endforeach()
  list(APPEND made ${headers})
  file(STRINGS ${source}/forwarding_headers.txt rows REGEX "^[^#]")
  foreach(row IN LISTS rows)
    if(row MATCHES "^([a-z_]+) ?([^ ]*):$")
      set(kind ${CMAKE_MATCH_1})
      set(ARGUMENT "${CMAKE_MATCH_2}")
      if(NOT DEFINED ${kind})
        message(FATAL_ERROR "${source}/forwarding_headers.txt: no kind of header is named ${kind}")
      endif()
      continue()
    endif()
    separate_arguments(names UNIX_COMMAND "${row}")
    foreach(NAME IN LISTS names)
      get_filename_component(STEM ${NAME} NAME)
      string(CONFIGURE "#pragma once\n${${kind}}\n" text @ONLY)
      file(CONFIGURE OUTPUT ${TO}/${NAME} CONTENT "${text}" @ONLY)
      list(APPEND made ${NAME})
    endforeach()
  endforeach()
endforeach()

# CUDA 13 has the headers of Thrust, CUB and libcu++ in this folder, too. A link, not copies: `#include_next` and `#pragma once`
# only work if compilers recognise a folder that is given to them under several names.
if(NOT IS_SYMLINK ${TO}/cccl)
  file(CREATE_LINK . ${TO}/cccl SYMBOLIC)
endif()
list(APPEND made cccl)

file(GLOB_RECURSE present RELATIVE ${TO} ${TO}/*)
list(REMOVE_ITEM present ${made})
foreach(header IN LISTS present)
  file(REMOVE ${TO}/${header})
endforeach()
