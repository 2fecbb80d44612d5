// The names under which a compiler sees one submission's file, and the way back to the names that its author
// knows.
//
// nvcc hands names on to shells and tools of its own, and depfiles and -f...-prefix-map have separators of
// their own. So a name that holds anything unusual is never shown to a compiler: it gets a link with a plain
// name in a temporary folder, and messages, debug information and dependencies are mapped back.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/file.h"
#include "harness/build/builder.h"

namespace warpmark::build {

struct Folder {
  std::filesystem::path real;
  std::string seen;  // the same folder, as the compiler is told
};

// The folders whose files a build may include: the source's own, then those to search, in order. The index of
// a folder in this list names it in the cache, so that equal submissions in different places share their
// libraries.
std::vector<std::filesystem::path> include_folders(const Request& request, const Settings& settings,
                                                   Engine engine);

class Workspace {
 public:
  // parent: a folder to make the workspace in; empty: a temporary folder of its own. Throws std::system_error
  // or std::filesystem::filesystem_error when it cannot be written.
  Workspace(const Request& request, const Settings& settings, Engine engine,
            const std::filesystem::path& parent = {});
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace();

  // For the compiler's own files; goes away with the workspace.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] const std::vector<Folder>& folders() const { return folders_; }
  // Files of the overlay are read in place of those of their names (clang's -ivfsoverlay).
  void lay_over(const std::filesystem::path& overlay) { overlay_ = overlay; }
  [[nodiscard]] std::vector<std::string> include_flags() const;
  // What turns the names of the submission's files into those shown, in __FILE__ and in debug information.
  [[nodiscard]] std::vector<std::string> prefix_map_flags() const;

  // A file of the submission as its author names it; empty for any other.
  [[nodiscard]] std::optional<std::string> shown_name(std::string_view seen) const;
  // The same file on disk.
  [[nodiscard]] std::filesystem::path real_path(std::string_view shown) const;
  // A compiler's output with the names replaced.
  [[nodiscard]] std::string shown_text(std::string text) const;

 private:
  std::string link(const std::filesystem::path& target, const std::string& name) const;

  std::optional<TemporaryFolder> own_folder_;
  std::filesystem::path folder_;
  std::filesystem::path real_source_;
  std::string display_name_;
  std::string source_;
  std::vector<Folder> folders_;
  // What is replaced by what at the front of a name: the source, its folder, the submission's folder.
  std::vector<std::pair<std::string, std::string>> prefixes_;
  bool source_is_linked_ = false;
  std::filesystem::path overlay_;  // empty: none
};

}  // namespace warpmark::build
