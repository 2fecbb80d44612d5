#include "harness/build/quoted_includes.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "harness/base/file.h"
#include "harness/build/source_text.h"

namespace warpmark::build {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFiles = 1000;

}  // namespace

std::vector<std::string> quoted_includes(std::string_view source) {
  std::vector<std::string> names;
  for (std::size_t at = source.find("#"); at != kNone; at = source.find("#", at + 1)) {
    std::string_view rest = source.substr(at + 1, source.find('\n', at) - at - 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(kSpaces), rest.size()));
    if (!rest.starts_with("include")) continue;
    const std::size_t open = rest.find('"');
    const std::size_t close = open == kNone ? kNone : rest.find('"', open + 1);
    if (close != kNone) names.emplace_back(rest.substr(open + 1, close - open - 1));
  }
  return names;
}

std::vector<fs::path> folders_included_from(const fs::path& source, const std::vector<fs::path>& searched) {
  const fs::path own = fs::absolute(source).lexically_normal().parent_path();
  std::vector<fs::path> known(searched);
  known.push_back(own);
  std::vector<fs::path> folders;
  std::set<fs::path> seen;
  std::vector<fs::path> open{fs::absolute(source).lexically_normal()};
  while (!open.empty() && seen.size() < kMostFiles) {
    const fs::path file = open.back();
    open.pop_back();
    if (!seen.insert(file).second) continue;
    const Result<std::string> text = read_file(file);
    if (!text) continue;
    for (const std::string& name : quoted_includes(*text)) {
      std::vector<fs::path> from{file.parent_path()};
      from.insert(from.end(), searched.begin(), searched.end());
      for (const fs::path& folder : from) {
        std::error_code error;
        const fs::path included = (folder / name).lexically_normal();
        if (!fs::is_regular_file(included, error)) continue;
        open.push_back(included);
        const bool is_known = std::ranges::any_of(
            known, [&](const fs::path& each) { return is_below(included, each.lexically_normal()); });
        if (!is_known) {
          known.push_back(included.parent_path());
          folders.push_back(included.parent_path());
        }
        break;
      }
    }
  }
  return folders;
}

std::optional<std::filesystem::path> folder_that_has(const std::string& header,
                                                     const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  constexpr int kMostEntries = 20'000;
  std::error_code error;
  fs::path top = folder;
  for (int ups = 0; ups < 3 && top.has_relative_path(); ++ups, top = top.parent_path()) {
    if (fs::exists(top / header, error)) return top;
    int entries = 0;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(top, options, error), end;
         !error && it != end && entries < kMostEntries; it.increment(error), ++entries) {
      if (!it->is_directory(error)) continue;
      if (it->path().filename().string().starts_with(".")) {
        it.disable_recursion_pending();
      } else if (fs::exists(it->path() / header, error)) {
        return it->path();
      }
    }
  }
  return std::nullopt;
}

}  // namespace warpmark::build
