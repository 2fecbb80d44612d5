#include "harness/program_analysis/project.h"

#include <algorithm>
#include <array>
#include <regex>
#include <set>
#include <string_view>
#include <system_error>

#include "harness/base/file.h"

namespace warpmark::program_analysis {
namespace {

namespace fs = std::filesystem;
using Sources = std::map<std::string, std::string>;

constexpr std::size_t kMostFiles = 1000;

bool has_extension(const fs::path& file, std::initializer_list<std::string_view> extensions) {
  return std::ranges::find(extensions, file.extension().string()) != extensions.end();
}
bool is_source(const fs::path& file) {
  return has_extension(file, {".cu", ".cpp", ".cc", ".cxx", ".c"});
}
bool is_header_file(const fs::path& file) {
  return has_extension(file, {".h", ".hpp", ".cuh", ".hh", ".inl", ".inc"});
}

// Returns the text without comments, so that what is commented out does not count.
std::string without_comments(std::string_view text) {
  std::string bare;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (quote == 0 && (rest.starts_with("//") || rest.starts_with("/*"))) {
      const bool line = rest[1] == '/';
      const std::size_t end = rest.find(line ? "\n" : "*/", 2);
      if (end == std::string_view::npos) break;
      i += end + (line ? 0 : 1);
      bare += line ? '\n' : ' ';
      continue;
    }
    if (quote == 0 && (text[i] == '"' || text[i] == '\'')) {
      quote = text[i];
    } else if (text[i] == quote || text[i] == '\n') {
      quote = 0;
    } else if (quote != 0 && text[i] == '\\' && i + 1 < text.size()) {
      bare += text[i++];
    }
    bare += text[i];
  }
  return bare;
}

std::vector<std::string> included_by(const std::string& text) {
  static const std::regex include(R"(#\s*include\s*["<]([^">]+)[">])");
  std::vector<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it)
    names.push_back((*it)[1]);
  return names;
}

bool defines_main(const std::string& text) {
  static const std::regex main_function(R"((?:^|[^A-Za-z0-9_])main\s*\([^;{]*\)\s*(?:noexcept\s*)?\{)");
  return std::regex_search(text, main_function);
}

std::string folder_of(const std::string& file) {
  return fs::path(file).parent_path().string();
}

// Returns the folders of the headers that these files include, directly or not, by a name that is not found
// from the including file.
std::set<std::string> folders_for(const std::vector<std::string>& files, const Sources& sources) {
  std::set<std::string> folders;
  std::set<std::string> seen(files.begin(), files.end());
  std::vector<std::string> open = files;
  while (!open.empty()) {
    const std::string file = open.back();
    open.pop_back();
    for (const std::string& name : included_by(sources.at(file))) {
      const std::string beside = (fs::path(folder_of(file)) / name).lexically_normal().string();
      std::string found = sources.contains(beside) ? beside : std::string();
      for (const auto& [path, text] : sources) {
        if (!found.empty()) break;
        if (path == name || path.ends_with("/" + name)) {
          found = path;
          folders.insert(path.size() == name.size() ? "." : path.substr(0, path.size() - name.size() - 1));
        }
      }
      if (!found.empty() && seen.insert(found).second) open.push_back(found);
    }
  }
  return folders;
}

}  // namespace

std::vector<ProjectProgram> programs_in(const Sources& sources) {
  Sources bare;
  for (const auto& [path, text] : sources) bare[path] = without_comments(text);
  std::set<std::string> included;
  std::set<std::string> mains;
  for (const auto& [path, text] : bare) {
    for (const std::string& name : included_by(text))
      included.insert((fs::path(folder_of(path)) / name).lexically_normal().string());
    if (is_source(path) && defines_main(text)) mains.insert(path);
  }
  std::vector<ProjectProgram> programs;
  for (const std::string& main : mains) {
    if (included.contains(main)) continue;
    ProjectProgram program{{main}, {}};
    // A folder with one main is a project with all below it; with several, each main is a program of its own
    // with the other files beside it.
    const auto belongs = [&](const std::string& path) {
      const std::string folder = folder_of(main);
      const bool below = folder.empty() || path.starts_with(folder + "/");
      return mains.size() == 1 || (below && folder_of(path) == folder);
    };
    for (const auto& [path, text] : bare) {
      if (is_source(path) && !mains.contains(path) && !included.contains(path) && belongs(path))
        program.sources.push_back(path);
    }
    const std::set<std::string> folders = folders_for(program.sources, bare);
    program.include_folders.assign(folders.begin(), folders.end());
    programs.push_back(std::move(program));
  }
  return programs;
}

Sources sources_in(const fs::path& folder) {
  Sources sources;
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator it(folder, options, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    const bool is_folder = it->is_directory(error);
    if (is_folder && (name.starts_with(".") || name.starts_with("build") || name == "CMakeFiles"))
      it.disable_recursion_pending();
    if (is_folder || !(is_source(it->path()) || is_header_file(it->path()))) continue;
    if (sources.size() >= kMostFiles) break;
    if (auto text = read_file(it->path()))
      sources[it->path().lexically_relative(folder).lexically_normal().string()] = std::move(*text);
  }
  return sources;
}

}  // namespace warpmark::program_analysis
