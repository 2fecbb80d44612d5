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

// A file that the compiler read during the build.
struct IncludedFile {
  std::filesystem::path path;
  // True for included headers of the system or the CUDA toolkit, rather than of the submission or the course.
  bool outside = false;
};

struct Entry {
  std::filesystem::path library;
  bool uses_thrust = false;
  std::vector<IncludedFile> included;
};

// Computes the cache key of a request. The key does not depend on the folders' paths, but includes the names
// of all files in the include folders: an #include may find a new file there in place of the previous one.
std::string cache_key(const Toolchain& toolchain, const Settings& settings, const Request& request,
                      std::string_view source);

class Cache {
 public:
  // Opens the cache for one key. folders: all folders that an #include may find files in, with symbolic links
  // resolved; cached file names are relative to these.
  Cache(const std::filesystem::path& root, const std::string& key,
        std::vector<std::filesystem::path> folders);

  // Returns a cached library if its contents and all files that it was built from still have the recorded
  // SHA-256, and marks it as recently used; nullopt if there is none.
  [[nodiscard]] std::optional<Entry> find() const;

  // Copies the library into the cache. Also succeeds if another process has stored the same entry first.
  [[nodiscard]] Result<Entry> store(const Compiled& compiled, const Workspace& workspace) const;

 private:
  std::filesystem::path home_;  // folder <cache>/<key>, which holds the cached libraries of one build request
  std::vector<std::filesystem::path> folders_;
};

// Returns the compiler warnings that were stored with a cached library, one per line.
std::string warnings_of(const std::filesystem::path& library);

// Removes entries that were last used longer than `unused` ago and returns their number; a no-op if it ran
// within the last 24 hours. Ignores errors, because a growing cache does not justify a failure.
std::size_t trim_cache(const std::filesystem::path& root, std::chrono::hours unused);

}  // namespace warpmark::build
