// Libraries that were built before.
//
//   <cache>/<key>/<digest>/library.so     key: what a build is told: source, names, flags, compiler
//                 /manifest               digest: what it read besides: every included file
//
// Many builds of one key may lie side by side, one for each state of the included files. Entries are made
// aside and renamed, never changed: several programs may use one cache, and a crash leaves at most a
// ".fresh-" folder.
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

// A file that was read while a library was built.
struct IncludedFile {
  std::filesystem::path path;
  bool outside = false;  // of the folders of the build: the system's, or the toolkit's
};

struct Entry {
  std::filesystem::path library;
  bool uses_thrust = false;
  std::vector<IncludedFile> included;
};

// The key of a request. Where files lie is no part of it, but which names there are beside them is: a new
// file may be found by an #include before the one that was found last time.
std::string cache_key(const Toolchain& toolchain, const Settings& settings, const Request& request,
                      std::string_view source);

class Cache {
 public:
  // folders: those of include_folders(), as real paths.
  Cache(const std::filesystem::path& root, const std::string& key,
        std::vector<std::filesystem::path> folders);

  // The entry whose library and included files are all, by their SHA-256, as they were. It counts as used
  // now.
  [[nodiscard]] std::optional<Entry> find() const;

  // Takes a copy of the library. Finding that another program has just stored the same is no failure.
  [[nodiscard]] Result<Entry> store(const Compiled& compiled, const Workspace& workspace) const;

 private:
  std::filesystem::path home_;  // <cache>/<key>
  std::vector<std::filesystem::path> folders_;
};

// Of the compiler's warnings of an entry's library those that the user is to see, each in a line.
std::string warnings_of(const std::filesystem::path& library);

// Removes the entries that no build has used for that long, at most once a day however often it is called,
// and returns how many went. What cannot be removed stays: a cache that grows is no reason to fail.
std::size_t trim_cache(const std::filesystem::path& root, std::chrono::hours unused);

}  // namespace warpmark::build
