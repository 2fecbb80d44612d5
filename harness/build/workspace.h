// Maps between the names under which a compiler sees a submission's file and the names that its author knows.
//
// nvcc passes names to shells and other tools, and depfiles and -f...-prefix-map have separators of their
// own. So a compiler never sees a name with unusual characters: a symbolic link with a plain name in a
// temporary folder stands for it, and messages, debug information and dependencies are mapped back.
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
  std::string seen;  // name under which the compiler sees an include folder, free of unusual characters
};

// Returns the folders from which a build may include: the source's own folder, then the search path, in
// order. The cache identifies a folder by its index in this list, so that equal submissions in different
// places share libraries.
std::vector<std::filesystem::path> include_folders(const Request& request, const Settings& settings,
                                                   Engine engine);

class Workspace {
 public:
  // Creates the temporary folder of one build. parent: the folder to create it in; empty: the system's
  // temporary folder. Throws std::system_error or std::filesystem::filesystem_error if that is not writable.
  Workspace(const Request& request, const Settings& settings, Engine engine,
            const std::filesystem::path& parent = {});
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace();

  // Folder for the compiler's temporary files; removed with the workspace.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] const std::vector<Folder>& folders() const { return folders_; }
  // Makes the compiler read certain files of the submission from rewritten copies, which a clang file-system
  // overlay (-ivfsoverlay) names.
  void lay_over(const std::filesystem::path& overlay) { overlay_ = overlay; }
  [[nodiscard]] std::vector<std::string> include_flags() const;
  // Returns flags that replace the paths of the submission's files by the names that the student knows, in
  // __FILE__ and in debug information.
  [[nodiscard]] std::vector<std::string> prefix_map_flags() const;

  // Returns the name by which the student knows a file of the submission; nullopt for any other file. seen:
  // the name that the compiler was given.
  [[nodiscard]] std::optional<std::string> shown_name(std::string_view seen) const;
  // Returns the path on disk of a file that the student knows as `shown`.
  [[nodiscard]] std::filesystem::path real_path(std::string_view shown) const;
  // Returns a compiler's output with all file names replaced by those that the student knows.
  [[nodiscard]] std::string shown_text(std::string text) const;

 private:
  std::string link(const std::filesystem::path& target, const std::string& name) const;

  std::optional<TemporaryFolder> own_folder_;
  std::filesystem::path folder_;
  std::filesystem::path real_source_;
  std::string display_name_;
  std::string source_;
  std::vector<Folder> folders_;
  // Pairs of a path prefix to find in compiler output and the text that replaces it, for the paths of the
  // source, its folder and the submission's folder.
  std::vector<std::pair<std::string, std::string>> prefixes_;
  bool source_is_linked_ = false;
  std::filesystem::path overlay_;  // file of clang's -ivfsoverlay option; empty if no file is to be replaced
};

}  // namespace warpmark::build
