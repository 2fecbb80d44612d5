// API of a course's judge.cpp: one class that generates an assignment's test inputs and decides which answers
// are right, for assignments that the plain form (assignment.toml with `call` and [[buffer]]) cannot
// describe.
//
//     #include <warpmark/assignment.h>
//
//     class Sums final : public warpmark::Assignment { ... };
//     WARPMARK_ASSIGNMENT(Sums)
//
// judge.cpp and the files that judge_sources in assignment.toml names are compiled together, as one
// translation unit, with the host's compiler as C++20, in the same sandbox as submissions. They may include
// <fmt/format.h>. The resulting shared library is cached by the contents of everything it was built from and
// runs in the judge process: course code is trusted. If it crashes or loops forever, the command fails
// without grading anybody, and the message names the file and line.
#pragma once

#include "harness/assignments/assignment.h"
#include "harness/assignments/bytes.h"
#include "harness/assignments/random.h"
#include "harness/base/parallel.h"

// WARPMARK_ASSIGNMENT(Class) in a course's judge.cpp defines the exported factory function by which the judge
// process creates the Assignment object. Class must be default-constructible.
#define WARPMARK_ASSIGNMENT(Class)                              \
  extern "C" warpmark::Assignment* warpmark_make_assignment();  \
  extern "C" warpmark::Assignment* warpmark_make_assignment() { \
    return new Class;                                           \
  }
