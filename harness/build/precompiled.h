// Precompiles the headers that every simulator source includes first, once per compiler pass, and caches the
// result. Parsing these headers is more than half of a library's compile time.
#pragma once

#include <future>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "harness/build/builder.h"
#include "harness/build/compile.h"

namespace warpmark::build {

// Precompiles headers on first use. Thread-safe.
class PrecompiledHeaders {
 public:
  PrecompiledHeaders(Toolchain toolchain, Settings settings);

  // Returns the precompiled headers and makes those that the cache lacks; concurrent callers wait for the
  // first. A path is empty if its file could not be made: the source is then compiled without it, and the
  // compiler reports the problem. more: system headers to precompile after the runtime's, by their names in
  // angle brackets; omitted if a compiler pass rejects them.
  Precompiled get(const std::vector<std::string>& more = {});

 private:
  Toolchain toolchain_;
  Settings settings_;
  std::mutex mutex_;
  // Deferred futures: the first thread that needs a header precompiles it, the others wait.
  std::map<std::vector<std::string>, std::shared_future<Precompiled>> made_;
};

// Returns the system headers at the start of the source if Thrust headers are among them: parsing these takes
// ten times as long as everything else. Empty if there are none, if the submission may not use Thrust, or if
// the submission has a file or folder that would hide one of them.
std::vector<std::string> library_headers(const Request& request, std::string_view source);

}  // namespace warpmark::build
