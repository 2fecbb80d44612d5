# Grades SUBMISSION into OUT. Succeeds whenever a grade was written, whatever it says: the tests tell that.
file(REMOVE ${OUT}/grade.json)
execute_process(COMMAND ${PROGRAM} grade ${SUBMISSION} --out ${OUT} RESULT_VARIABLE status)
if(NOT status MATCHES "^[013]$")
  message(FATAL_ERROR "warpmark grade ended with ${status}")
endif()
if(NOT EXISTS ${OUT}/grade.json)
  message(FATAL_ERROR "no grade was written to ${OUT}")
endif()
