# Grades your files: cmake --preset student && ctest --preset student. There is nothing to change here.
cmake_minimum_required(VERSION 3.25)
set(CMAKE_MAKE_PROGRAM true)  # nothing is built: a machine without make will do
project(@ASSIGNMENT@ LANGUAGES NONE)
enable_testing()

set(submission @SUBMISSION@)
set(reports ${PROJECT_SOURCE_DIR}/@OUTPUTS@/student)

# Warpmark itself: WARPMARK_PROGRAM, else @MADE_BY_IN_WORDS@PATH and the places where packages put it.
set(WARPMARK_PROGRAM "" CACHE FILEPATH "The program warpmark that grades; empty: it is searched for")
set(program ${WARPMARK_PROGRAM})
if(NOT program AND EXISTS "@MADE_BY@")
  set(program "@MADE_BY@")
endif()
if(NOT program)
  # A package that lies here as an archive is unpacked into the build folder.
  file(GLOB places "$ENV{HOME}/warpmark*" "$ENV{HOME}/warpmark*/bin")
  file(GLOB archive ${PROJECT_SOURCE_DIR}/.warpmark/warpmark*.tar.xz)
  if(archive)
    get_filename_component(unpacked ${archive} NAME_WLE)
    set(unpacked ${PROJECT_BINARY_DIR}/${unpacked})
    if(NOT EXISTS ${unpacked})
      file(REMOVE_RECURSE ${unpacked}.new)  # of a run that was interrupted
      file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${unpacked}.new)
      file(RENAME ${unpacked}.new ${unpacked})
    endif()
    file(GLOB unpacked ${unpacked}/*/bin)
    list(PREPEND places ${unpacked})
  endif()
  find_program(program warpmark NO_CACHE
               PATHS /usr/bin /usr/local/bin /opt/warpmark/bin "$ENV{HOME}/.local/bin" ${places})
endif()
if(NOT program)
  message(FATAL_ERROR " Warpmark, which grades this folder, is not on this machine. @HOW_TO_GET_IT@\n"
                      " If it is installed elsewhere: cmake --preset student -DWARPMARK_PROGRAM=/path/to/warpmark")
elseif(NOT EXISTS ${program} OR IS_DIRECTORY ${program})
  message(FATAL_ERROR "WARPMARK_PROGRAM names ${program}, which is not a program; give its full path, or "
                      "search again: cmake --preset student -UWARPMARK_PROGRAM")
endif()

# The wrapper of a clone builds what is stale, in a test of its own; then its program is called.
set(grader ${program})
set(prepare ${program})
file(REAL_PATH ${program} real)
get_filename_component(clone ${real} DIRECTORY)
if(IS_DIRECTORY ${clone}/harness/assignments)
  set(grader ${clone}/build/bin/warpmark-cli)
  set(prepare ${program} --no-install)
endif()
execute_process(COMMAND ${prepare} --home OUTPUT_VARIABLE home RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT status EQUAL 0 OR NOT IS_DIRECTORY "${home}")
  message(FATAL_ERROR "${program} cannot grade here: it does not report where its headers are (exit status ${status}). Its "
                      "output is above; is it another version than @VERSION@?")
endif()
message(STATUS "graded by ${program}")
set(headers ${home}/lib/simulator-headers)
if(NOT IS_DIRECTORY ${headers})  # a clone
  set(headers ${home}/build/lib/simulator-headers)
endif()

# How clangd reads the .cu files without a CUDA toolkit: with the simulator's headers.
file(CONFIGURE OUTPUT ${PROJECT_SOURCE_DIR}/compile_flags.txt CONTENT "-xcuda
-nocudainc
-nocudalib
--cuda-path=/nonexistent
--cuda-gpu-arch=sm_80
--cuda-host-only
-std=c++20
-Xclang
-target-sdk-version=11.0
-Wno-unknown-cuda-version
-Wall
-Wextra
-I${headers}
-I@CONTRACT_FOLDER@
-include
cuda_runtime.h
")

# Each test is one check. Before them, once: what has changed is graded.
add_test(NAME grader COMMAND ${prepare} --version)
set_tests_properties(grader PROPERTIES FIXTURES_SETUP grader TIMEOUT 3600)
add_test(NAME grade COMMAND ${grader} grade ${submission} --assignment "@ASSIGNMENT_OPTION@"@RUBRIC_OPTION@ --changed --out ${reports}
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
# The checks say what they found: this one passes whenever there is a grade.
set_tests_properties(grade PROPERTIES FIXTURES_REQUIRED grader FIXTURES_SETUP grade TIMEOUT 1800 RUN_SERIAL ON
                     PASS_REGULAR_EXPRESSION "report: [^\n]*@OUTPUTS@/student/index.html")

foreach(check IN ITEMS
@CHECKS@)
  add_test(NAME @ASSIGNMENT@.${check} COMMAND ${grader} report ${reports}/grade.json --check @ASSIGNMENT@.${check})
  set_tests_properties(@ASSIGNMENT@.${check} PROPERTIES FIXTURES_REQUIRED grade SKIP_RETURN_CODE 77 TIMEOUT 60)
endforeach()
