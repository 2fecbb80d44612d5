// Files as an input holds them, in a folder or an archive, before anybody asks what they mean.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::classroom {

struct TreeFile {
  std::string path;            // safe, relative: see names.h
  std::filesystem::path file;  // where its bytes are
};

struct RefusedEntry {
  std::string path;  // as the input names it, made readable
  std::string why;   // follows the name
};

struct Tree {
  std::vector<TreeFile> files;         // regular files alone, sorted by path
  std::vector<RefusedEntry> refused;   // links, devices, paths that climb, what exceeds a cap
  std::set<std::string> folders;       // also those that hold nothing, but for hidden ones
  std::set<std::string> repositories;  // folders that hold a .git
  std::uint64_t bytes = 0;             // unpacked from an archive, also what was left out
  std::uint64_t entries = 0;           // of an archive

  // The part below a folder, with paths relative to it. Empty: all.
  [[nodiscard]] Tree below(const std::string& folder) const;
  [[nodiscard]] std::set<std::string> top_folders() const;
};

// What one input, or one submission's archives, may hold.
struct Caps {
  std::uint64_t file_bytes = std::uint64_t{16} << 20;  // a larger file is left out; a source is some KiB
  std::uint64_t bytes = std::uint64_t{8} << 30;        // unpacked, also of what is left out
  std::uint64_t entries = 2'000'000;
};
inline constexpr Caps kClassCaps{};
inline constexpr Caps kSubmissionCaps{std::uint64_t{16} << 20, std::uint64_t{512} << 20, 20'000};

// Walks a folder without following links. `without`: a folder to leave out (the output, where it lies
// inside); may be empty. Fails when the folder cannot be read or exceeds the cap on entries.
Result<Tree> read_folder(const std::filesystem::path& folder, const Caps& caps,
                         const std::filesystem::path& without = {});

// Unpacks a zip or tar into `staging`, an empty folder which is made. Links are never made and names of the
// archive never name a file: files get numbers. name: of the archive, for messages. Fails when it is damaged,
// encrypted or exceeds a cap; throws std::system_error when nothing can be written here.
Result<Tree> read_archive(const std::filesystem::path& archive, const std::filesystem::path& staging,
                          const Caps& caps, const std::string& name);

// The names alone: nothing is written, and the files have no place.
Result<Tree> list_archive(const std::filesystem::path& archive, const Caps& caps);

}  // namespace warpmark::classroom
