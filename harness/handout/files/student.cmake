# Grades your files: cmake --preset student && ctest --preset student. There is nothing to change here.
cmake_minimum_required(VERSION 3.25)
project(@ASSIGNMENT@ LANGUAGES NONE)
enable_testing()

set(submission @SUBMISSION@)
set(reports ${PROJECT_SOURCE_DIR}/@OUTPUTS@/student)

# What grades: WARPMARK_PROGRAM, where it is given, else @GRADER_IN_WORDS@.
set(WARPMARK_PROGRAM "" CACHE FILEPATH "The program warpmark that grades")
if(WARPMARK_PROGRAM)
  set(prepare ${WARPMARK_PROGRAM})
  set(grader ${WARPMARK_PROGRAM})
else()
  set(prepare @PREPARE@)
  set(grader "@GRADER@")
endif()

# Each test is one check. Before them, once: the grader is built where it is stale, and what has changed is graded.
add_test(NAME grader COMMAND ${prepare} --version)
set_tests_properties(grader PROPERTIES FIXTURES_SETUP grader TIMEOUT 3600)
add_test(NAME grade COMMAND ${grader} grade ${submission} --assignment @ASSIGNMENT@ --changed --out ${reports}
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
# The checks say what they found: this one passes whenever there is a grade.
set_tests_properties(grade PROPERTIES FIXTURES_REQUIRED grader FIXTURES_SETUP grade TIMEOUT 1800 RUN_SERIAL ON
                     PASS_REGULAR_EXPRESSION "report: [^\n]*warpmark-out/student/index.html")

foreach(check IN ITEMS
@CHECKS@)
  add_test(NAME @ASSIGNMENT@.${check} COMMAND ${grader} report ${reports}/grade.json --check @ASSIGNMENT@.${check})
  set_tests_properties(@ASSIGNMENT@.${check} PROPERTIES FIXTURES_REQUIRED grade SKIP_RETURN_CODE 77 TIMEOUT 60)
endforeach()
