#include "harness/build/workspace.h"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <stdlib.h>

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;

bool is_plain(const std::string& name) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/+-";
  return name.find_first_not_of(kPlain) == std::string::npos;
}

// Returns "dir/" for "dir/file", or "".
std::string folder_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? "" : name.substr(0, slash + 1);
}

std::string with_slash(std::string name) {
  if (!name.ends_with('/')) name += '/';
  return name;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

fs::path folder_in(const fs::path& parent) {
  std::string name = (parent / "XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  return name;
}

fs::path absolute_folder(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return whole.has_filename() || whole == whole.root_path() ? whole : whole.parent_path();
}

}  // namespace

std::vector<fs::path> include_folders(const Request& request, const Settings& settings, Engine engine) {
  std::vector<fs::path> folders{absolute_folder(request.source).parent_path()};
  if (engine == Engine::simulator) folders.push_back(absolute_folder(settings.simulator_include));
  for (const fs::path& folder : request.include_folders) folders.push_back(absolute_folder(folder));
  if (engine == Engine::simulator && !thrust_of_toolkit().empty()) folders.push_back(thrust_of_toolkit());
  return folders;
}

Workspace::Workspace(const Request& request, const Settings& settings, Engine engine, const fs::path& parent)
    : real_source_(absolute_folder(request.source)), display_name_(request.display_name) {
  folder_ = parent.empty() ? own_folder_.emplace().path() : folder_in(parent);
  for (const fs::path& real : include_folders(request, settings, engine)) {
    const std::string name = real.string();
    folders_.push_back({real, is_plain(name) ? name : link(real, fmt::format("folder{}", folders_.size()))});
  }

  const std::string source = real_source_.string();
  const std::string ending = is_host(engine) ? ".cpp" : ".cu";
  const bool displayed_as_it_lies = source.ends_with("/" + display_name_);
  source_is_linked_ = !is_plain(source) || !is_plain(display_name_) || !displayed_as_it_lies ||
                      real_source_.extension() != ending;
  if (source_is_linked_) {
    // Compiles the source through a symbolic link in a folder that contains nothing else, so that no #include
    // finds the harness's own temporary files.
    fs::create_directory(folder() / "source");
    source_ = link(real_source_, "source/source" + ending);
  } else {
    source_ = source;
  }

  prefixes_.emplace_back(source_, display_name_);
  prefixes_.emplace_back(with_slash(folders_.front().seen), folder_of(display_name_));
  if (displayed_as_it_lies) {
    prefixes_.emplace_back(source.substr(0, source.size() - display_name_.size()), "");
  }
}

Workspace::~Workspace() {
  std::error_code ignored;
  if (!own_folder_) fs::remove_all(folder_, ignored);
}

std::string Workspace::link(const fs::path& target, const std::string& name) const {
  const fs::path path = folder() / name;
  fs::create_symlink(target, path);
  return path.string();
}

std::vector<std::string> Workspace::include_flags() const {
  std::vector<std::string> flags;
  // If the source is compiled through a symbolic link in another folder, its quoted includes must still
  // search the source's real folder first.
  if (source_is_linked_) flags.insert(flags.end(), {"-iquote", folders_.front().seen});
  for (std::size_t i = 1; i < folders_.size(); ++i) flags.insert(flags.end(), {"-I", folders_[i].seen});
  if (!overlay_.empty()) flags.insert(flags.end(), {"-ivfsoverlay", overlay_.string()});
  return flags;
}

std::vector<std::string> Workspace::prefix_map_flags() const {
  // Maps each file name by exactly one prefix, because compilers differ in which of two matching maps they
  // apply.
  std::vector<std::string> flags;
  const auto map = [&](const auto& prefix) {
    flags.push_back(fmt::format("-ffile-prefix-map={}={}", prefix.first, prefix.second));
  };
  if (source_is_linked_) {
    map(prefixes_[0]);
    map(prefixes_[1]);
  } else {
    map(prefixes_.back());
  }
  return flags;
}

std::optional<std::string> Workspace::shown_name(std::string_view seen) const {
  // The compiler's name for something that is no file, such as "<command line>".
  if (seen.empty() || seen.starts_with('<')) return std::nullopt;
  if (seen == source_) return display_name_;
  for (const auto& [from, to] : prefixes_) {
    if (from.ends_with('/') && seen.starts_with(from)) {
      std::string name = fs::path(to + std::string(seen.substr(from.size()))).lexically_normal().string();
      // Names that start with ".." lie outside of the submission.
      if (!name.starts_with("..")) return name;
    }
  }
  // The names in the debug information, and thus in the linker's messages, are relative to the compiler's
  // working folder. The compiler's own temporary files are also in that folder.
  const std::string own = with_slash(folder_.string());
  if (seen.starts_with(own)) seen.remove_prefix(own.size());
  if (seen.starts_with('/')) return std::nullopt;
  const std::string name = fs::path(seen).lexically_normal().string();
  std::error_code error;
  if (name == display_name_ || (!name.starts_with("..") && fs::is_regular_file(real_path(name), error)))
    return name;
  return std::nullopt;
}

fs::path Workspace::real_path(std::string_view shown) const {
  if (shown == display_name_) return real_source_;
  const std::string folder = folder_of(display_name_);
  if (shown.starts_with(folder)) return folders_.front().real / shown.substr(folder.size());
  return fs::path(prefixes_.back().first) / shown;
}

std::string Workspace::shown_text(std::string text) const {
  for (const auto& [from, to] : prefixes_) {
    if (from.size() > 1) replace_all(text, from, to);
  }
  for (const Folder& folder : folders_) {
    if (folder.seen != folder.real) replace_all(text, folder.seen, folder.real.string());
  }
  replace_all(text, with_slash(folder_.string()), "");
  replace_all(text, "././", "");  // removes "././", which stands for the working folder in debug information
  return text;
}

}  // namespace warpmark::build
