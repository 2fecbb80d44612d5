#include "harness/class/intake/tree.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "harness/class/intake/names.h"

namespace warpmark::classroom {

namespace fs = std::filesystem;

Tree Tree::below(const std::string& folder) const {
  if (folder.empty()) return *this;
  Tree tree;
  const std::string prefix = folder + "/";
  for (const TreeFile& each : files) {
    if (each.path.starts_with(prefix)) tree.files.push_back({each.path.substr(prefix.size()), each.file});
  }
  for (const RefusedEntry& each : refused) {
    if (each.path.starts_with(prefix)) tree.refused.push_back({each.path.substr(prefix.size()), each.why});
  }
  for (const std::string& each : folders) {
    if (each.starts_with(prefix)) tree.folders.insert(each.substr(prefix.size()));
  }
  for (const std::string& each : repositories) {
    if (each == folder) tree.repositories.insert("");
    if (each.starts_with(prefix)) tree.repositories.insert(each.substr(prefix.size()));
  }
  return tree;
}

std::set<std::string> Tree::top_folders() const {
  std::set<std::string> tops;
  const auto add = [&](const std::string& path) {
    if (path.find('/') != std::string::npos) tops.emplace(first_part(path));
  };
  for (const TreeFile& each : files) add(each.path);
  for (const RefusedEntry& each : refused) add(each.path);
  for (const auto* set : {&folders, &repositories}) {
    for (const std::string& each : *set) {
      if (!each.empty()) tops.emplace(first_part(each));
    }
  }
  return tops;
}

namespace {

class FolderReader {
 public:
  FolderReader(const fs::path& folder, const Caps& caps) : folder_(folder), caps_(caps) {}

  void add(const fs::directory_entry& entry, fs::file_type type) {
    const std::string name = entry.path().lexically_relative(folder_).string();
    if (last_part(name) == ".git") tree_.repositories.emplace(folder_part(name));
    if (is_litter(name)) return;
    const auto path = safe_path(name);
    const auto refuse = [&](std::string why) {
      tree_.refused.push_back({path ? *path : name, std::move(why)});
    };
    std::error_code error;
    if (type == fs::file_type::directory) {
      if (path && !last_part(*path).starts_with('.')) tree_.folders.insert(*path);
      return;
    }
    if (!path) {
      refuse(path.error().message);
    } else if (type == fs::file_type::symlink) {
      refuse("is a symbolic link and was left out; put a copy of the file in its place");
    } else if (type != fs::file_type::regular) {
      refuse("is no regular file and was left out");
    } else if (entry.file_size(error) > caps_.file_bytes && !is_archive(*path)) {
      refuse(fmt::format("is larger than {} MiB and was left out; a submission is a few source files",
                         caps_.file_bytes >> 20));
    } else {
      tree_.files.push_back({*path, entry.path()});
    }
  }
  Tree take() {
    std::ranges::sort(tree_.files, {}, &TreeFile::path);
    return std::move(tree_);
  }

 private:
  fs::path folder_;
  Caps caps_;
  Tree tree_;
};

}  // namespace

Result<Tree> read_folder(const fs::path& folder, const Caps& caps, const fs::path& without) {
  std::error_code error;
  FolderReader reader(folder, caps);
  std::uint64_t entries = 0;
  fs::recursive_directory_iterator it(folder, fs::directory_options::none, error);
  for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
    std::error_code unreadable;
    const fs::file_type type = it->symlink_status(unreadable).type();
    const std::string name = it->path().filename().string();
    const bool output = !without.empty() && type == fs::file_type::directory &&
                        fs::equivalent(it->path(), without, unreadable);
    if (type == fs::file_type::directory && (output || is_litter(name))) it.disable_recursion_pending();
    if (output) continue;
    if (++entries > caps.entries) {
      return fail(fmt::format("{} holds more than {} files and folders", folder.string(), caps.entries));
    }
    reader.add(*it, type);
  }
  if (error) return fail(fmt::format("{}: {}", folder.string(), error.message()));
  return reader.take();
}

}  // namespace warpmark::classroom
