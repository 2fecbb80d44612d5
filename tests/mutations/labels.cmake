# Read by ctest after the discovery, which keeps only the first of several labels.
if(mutations_slow)
  set_tests_properties(${mutations_slow} PROPERTIES LABELS "harness;slow")
endif()
