// What a course's judge.cpp is written against: one class that makes inputs and decides which answers are
// right, for an assignment that the plain form (assignment.toml with `call` and [[buffer]]) cannot describe.
//
//     #include <warpmark/assignment.h>
//
//     class Sums final : public warpmark::Assignment { ... };
//     WARPMARK_ASSIGNMENT(Sums)
//
// All .cpp files of the assignment's folder but adapter_host.cpp are compiled together, as one translation
// unit, with the host's compiler as C++20, in the box that submissions are built in. <fmt/format.h> can be
// included, too. The library is kept by the contents of all that it was made of, and runs in the judge's
// process: course code is trusted. A crash or an endless loop ends the command without points for anybody,
// and names the file and line.
#pragma once

#include "harness/assignments/assignment.h"
#include "harness/assignments/bytes.h"
#include "harness/assignments/random.h"
#include "harness/base/parallel.h"

// Defines the function by which Warpmark makes the assignment. The class must have a constructor without
// parameters.
#define WARPMARK_ASSIGNMENT(Class)                              \
  extern "C" warpmark::Assignment* warpmark_make_assignment();  \
  extern "C" warpmark::Assignment* warpmark_make_assignment() { \
    return new Class;                                           \
  }
