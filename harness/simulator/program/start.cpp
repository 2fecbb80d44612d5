// Linked into each program that `warpmark nvcc` makes, so that it runs when a shell starts it.
#include "harness/simulator/program/client.h"

namespace {

// Runs before the program's own constructors, which may call CUDA. glibc passes main's arguments.
[[gnu::constructor(101)]] void start(int /*count*/, char** arguments, char** /*environment*/) {
  warpmark_device_on_demand(arguments);
}

}  // namespace
