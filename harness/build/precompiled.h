// Precompiles the preamble of every simulator source, once per pass, and caches it. Without it, parsing the
// preamble is more than half of a library's compile time.
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

// Thread-safe.
class PrecompiledHeaders {
 public:
  PrecompiledHeaders(Toolchain toolchain, Settings settings);

  // Returns the precompiled headers, after making those that are not in the cache; concurrent callers wait
  // for the first. A path is empty if the file could not be made: the source is then compiled without it, and
  // the compiler reports the problem. more: system headers to include after the runtime's, by the names in
  // angle brackets. If a pass rejects them, the result is that of get({}).
  Precompiled get(const std::vector<std::string>& more = {});

 private:
  Toolchain toolchain_;
  Settings settings_;
  std::mutex mutex_;
  std::map<std::vector<std::string>, std::shared_future<Precompiled>> made_;  // deferred
};

// Returns the leading Thrust headers of the source, with the other headers among them: parsing these takes
// ten times as long as everything else. Empty if there are none, if the submission may not use Thrust, or if
// it has a file or folder that would hide one of them.
std::vector<std::string> library_headers(const Request& request, std::string_view source);

}  // namespace warpmark::build
