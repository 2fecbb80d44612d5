// What every source for the simulator begins with, parsed once for each pass and kept in the cache: of a
// library's compiling time it is more than half.
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

// Safe to use from several threads.
class PrecompiledHeaders {
 public:
  PrecompiledHeaders(Toolchain toolchain, Settings settings);

  // Makes those that the cache does not have; the first caller pays, others wait. A path is empty where a
  // file could not be made: the source is then compiled without, and says what is wrong.
  // more: headers of the system that come behind the runtime's, by the names in angle brackets. Where not all
  // passes take them the result is that without.
  Precompiled get(const std::vector<std::string>& more = {});

 private:
  Toolchain toolchain_;
  Settings settings_;
  std::mutex mutex_;
  std::map<std::vector<std::string>, std::shared_future<Precompiled>> made_;  // deferred until somebody waits
};

// The headers of thrust that the source begins with, and all that stands beside them there: parsing them
// takes ten times as long as all the rest. Empty for any other source, and where the submission may not use
// them or has a file or folder of its own that they would be taken from.
std::vector<std::string> library_headers(const Request& request, std::string_view source);

}  // namespace warpmark::build
