// The files in an input (a folder or an archive), before they are assigned to students.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::classroom {

struct TreeFile {
  std::string path;            // path relative to the input, sanitised by names.h
  std::filesystem::path file;  // file on disk that holds the contents
};

struct RefusedEntry {
  std::string path;  // name in the input, with unprintable characters escaped
  std::string why;   // reason why the entry was refused; continues a sentence that starts with `path`
};

struct Tree {
  std::vector<TreeFile> files;         // regular files of the input, sorted by path
  std::vector<RefusedEntry> refused;   // links, devices, paths with "..", files above a size limit
  std::set<std::string> folders;       // paths of folders, including empty ones, without hidden ones
  std::set<std::string> repositories;  // folders that contain a .git folder
  std::uint64_t bytes = 0;             // unpacked size of an archive, including files that were left out
  std::uint64_t entries = 0;           // number of entries in an archive

  // Returns the subtree below a folder, with paths relative to it. An empty name returns the whole tree.
  [[nodiscard]] Tree below(const std::string& folder) const;
  [[nodiscard]] std::set<std::string> top_folders() const;
};

// Limits on what is read from one input (a folder or an archive of submissions), or from the archives of one
// submission.
struct Caps {
  // Limit on the size of one submitted file; larger files are skipped with a remark.
  std::uint64_t file_bytes = std::uint64_t{16} << 20;
  // Limit on the total unpacked size of an archive, including skipped files.
  std::uint64_t bytes = std::uint64_t{8} << 30;
  std::uint64_t entries = 2'000'000;
};
inline constexpr Caps kClassCaps{};
inline constexpr Caps kSubmissionCaps{std::uint64_t{16} << 20, std::uint64_t{512} << 20, 20'000};

// Reads a folder recursively without following symbolic links. `without`: a folder to skip (the output, if it
// lies inside); may be empty. Fails if the folder cannot be read or exceeds the cap on entries.
Result<Tree> read_folder(const std::filesystem::path& folder, const Caps& caps,
                         const std::filesystem::path& without = {});

// Unpacks a zip or tar into `staging`, which is created and must be empty. Links are not created, and files
// are stored under numbers rather than the archive's names. name: the archive's name in messages. Fails if
// the archive is damaged, encrypted or exceeds a cap; throws std::system_error if the disk cannot be written.
Result<Tree> read_archive(const std::filesystem::path& archive, const std::filesystem::path& staging,
                          const Caps& caps, const std::string& name);

// Lists the entries of an archive without unpacking it.
Result<Tree> list_archive(const std::filesystem::path& archive, const Caps& caps);

}  // namespace warpmark::classroom
