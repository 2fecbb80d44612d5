// Where a submission runs.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace warpmark {

// host: versions that are plain C++, compiled by g++. The two behind it are the host's for `clean`: workers
// in which a sanitizer's runtime watches a library that was built for it. No check and no grade names those.
enum class Engine { gpu, simulator, host, thread_sanitizer, address_sanitizer };

constexpr std::string_view name_of(Engine engine) {
  constexpr std::array<std::string_view, 5> names{"gpu", "simulator", "host", "thread-sanitizer",
                                                  "address-sanitizer"};
  return names[static_cast<std::size_t>(engine)];
}

constexpr bool is_sanitizer(Engine engine) {
  return engine == Engine::thread_sanitizer || engine == Engine::address_sanitizer;
}

// Whether versions of C++ run there, and those of CUDA do not.
constexpr bool is_host(Engine engine) {
  return engine == Engine::host || is_sanitizer(engine);
}

}  // namespace warpmark
