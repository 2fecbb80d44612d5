#include "harness/assignment_check/shapes.h"

#include <algorithm>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/file.h"

namespace warpmark::assignment_check {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 40;

fs::path folder_of_shapes(const fs::path& root) {
  return root / "harness/assignment_check/shapes";
}

std::string filled_in(std::string text, const std::string& name) {
  static constexpr std::string_view kPlace = "assignment_name";
  for (std::size_t at = text.find(kPlace); at != std::string::npos; at = text.find(kPlace, at + name.size()))
    text.replace(at, kPlace.size(), name);
  return text;
}

// Returns why a name is not allowed for a new assignment; empty if it is.
std::string fault_of_name(const std::string& name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool all =
      std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
  if (name.empty() || !is_letter(name.front()) || !all)
    return fmt::format(
        "\"{}\" is no name for an assignment: use lower-case letters, digits and _, with a letter first, as "
        "in prefix_sum",
        name);
  if (name.size() > kLongestName)
    return fmt::format("the name {} has {} letters; at most {}", name, name.size(), kLongestName);
  return {};
}

}  // namespace

std::vector<std::string> shapes(const fs::path& root) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder_of_shapes(root), error), end; !error && it != end;
       it.increment(error)) {
    if (it->is_directory(error)) names.push_back(it->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

Result<fs::path> write_assignment(const fs::path& root, const std::string& name, const std::string& shape,
                                  const fs::path& into) {
  if (const std::string fault = fault_of_name(name); !fault.empty()) return fail(fault);
  const auto known = shapes(root);
  if (std::ranges::find(known, shape) == known.end())
    return fail(fmt::format("there is no shape \"{}\"; there are: {}", shape, fmt::join(known, ", ")));
  const fs::path folder = into / name;
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder, error)))
    return fail(fmt::format("{} exists; choose another name, or remove it first", folder.string()));
  const fs::path from = folder_of_shapes(root) / shape;
  std::map<fs::path, std::string> files;
  for (fs::recursive_directory_iterator it(from, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    auto text = read_file(it->path());
    if (!text) return tl::unexpected(text.error());
    files[filled_in(it->path().lexically_relative(from).string(), name)] = filled_in(std::move(*text), name);
  }
  for (const auto& [file, text] : files) {
    fs::create_directories((folder / file).parent_path(), error);
    if (auto written = write_file(folder / file, text); !written) return tl::unexpected(written.error());
  }
  return folder;
}

}  // namespace warpmark::assignment_check
