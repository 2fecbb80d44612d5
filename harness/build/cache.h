// Cache of built libraries.
//
//  <cache>/<key>/<digest>/library.so     key: the request: source, file names, flags, compiler
//                /manifest               digest: every file that was included
//
// One key may have several entries, one per state of the included files. An entry is written to a temporary
// folder and renamed into place, and is immutable afterwards, so that several processes can share a cache and
// a crash leaves at most a ".fresh-" folder behind.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/build/builder.h"
#include "harness/build/compile.h"

namespace warpmark::build {

// A file that was read during the build.
struct IncludedFile {
  std::filesystem::path path;
  bool outside = false;  // not in a folder of the build, but in the system's or the toolkit's
};

struct Entry {
  std::filesystem::path library;
  bool uses_thrust = false;
  std::vector<IncludedFile> included;
};

// Computes the cache key of a request. The key does not depend on where the files lie, but on the names of
// the files in the include folders: a new file there may be found by an #include in place of the previous
// one.
std::string cache_key(const Toolchain& toolchain, const Settings& settings, const Request& request,
                      std::string_view source);

class Cache {
 public:
  // folders: the result of include_folders(), with symbolic links resolved.
  Cache(const std::filesystem::path& root, const std::string& key,
        std::vector<std::filesystem::path> folders);

  // Returns an entry whose library and included files all still have the recorded SHA-256, and marks it as
  // recently used.
  [[nodiscard]] std::optional<Entry> find() const;

  // Copies the library into the cache. It is not an error if another process has stored the same entry first.
  [[nodiscard]] Result<Entry> store(const Compiled& compiled, const Workspace& workspace) const;

 private:
  std::filesystem::path home_;  // <cache>/<key>
  std::vector<std::filesystem::path> folders_;
};

// Returns the warnings of a cached library that the user should see, one per line.
std::string warnings_of(const std::filesystem::path& library);

// Removes the entries that have not been used for `unused` and returns their number. Does the work at most
// once per day, however often it is called. Errors are ignored: a cache that grows does not justify a
// failure.
std::size_t trim_cache(const std::filesystem::path& root, std::chrono::hours unused);

}  // namespace warpmark::build
