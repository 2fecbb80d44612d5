// Execution engines for student code: a GPU, the GPU simulator, or the CPU.
#pragma once

#include <array>
#include <string_view>

#include "harness/base/names.h"

namespace warpmark {

// Execution engine for student code. `host` runs plain C++ code, compiled by g++. The thread and address
// sanitizers run the same C++ code in a worker process with clang's sanitizer runtime, to find races and
// memory errors; they never appear in a grade.
enum class Engine { gpu, simulator, host, thread_sanitizer, address_sanitizer };

constexpr std::array<std::string_view, 5> names_of(Engine /*type*/) {
  return {"gpu", "simulator", "host", "thread-sanitizer", "address-sanitizer"};
}

constexpr bool is_sanitizer(Engine engine) {
  return engine == Engine::thread_sanitizer || engine == Engine::address_sanitizer;
}

// Returns true if the engine runs plain C++ code, false if it runs CUDA code.
constexpr bool is_host(Engine engine) {
  return engine == Engine::host || is_sanitizer(engine);
}

inline constexpr int kMostDevices = 8;  // maximum number of GPUs, real or simulated, that a program may use

}  // namespace warpmark
