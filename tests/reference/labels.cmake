# Read by ctest after the discovery, which keeps only the first of several labels.
if(reference_quick)
  set_tests_properties(${reference_quick} PROPERTIES LABELS "harness;reference")
endif()
if(reference_slow)
  set_tests_properties(${reference_slow} PROPERTIES LABELS "harness;reference;slow")
endif()
