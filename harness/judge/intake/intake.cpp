#include "harness/judge/intake/intake.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 20'000;
// limit on the total size of a submission's files, in bytes
constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20;
constexpr std::size_t kLongestName = 200;  // limit in bytes on a submission's file and directory names

bool is_source(const fs::path& path) {
  static constexpr std::array endings{".cu", ".cuh", ".cpp", ".h", ".hpp", ".inc"};
  return std::find(endings.begin(), endings.end(), path.extension().string()) != endings.end();
}

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

// Escapes control characters and truncates a name, for use in a message.
std::string shown(const std::string& name) {
  std::string text;
  for (const char c : name.substr(0, 60)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < ' ' || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return name.size() > 60 ? text + "..." : text;
}

// Returns what is wrong with the name of a file or folder that compilers write otherwise than it is, so that
// the rules would look at another file; empty if nothing is.
std::string fault_of_misread_name(const std::string& name) {
  const bool means_another =
      std::ranges::any_of(name, [](unsigned char c) { return std::iscntrl(c) != 0 || c == '\\'; });
  return means_another ? "has a name with a backslash or a control character: rename it" : "";
}

bool leads_outside(const fs::path& link, const fs::path& folder) {
  std::error_code error;
  const fs::path target = fs::canonical(link, error);
  return error || *target.lexically_relative(folder).begin() == "..";
}

std::optional<std::string> fault_of_source(const fs::directory_entry& entry, fs::file_type type) {
  std::error_code error;
  switch (type) {
    case fs::file_type::regular:
      if (entry.hard_link_count(error) > 1 && !error) {
        return "is a hard link, another name of the same file; replace it by a copy";
      }
      return std::nullopt;
    case fs::file_type::symlink:
      return "is a symbolic link; only regular files inside the folder count: put a copy of the file in its "
             "place";
    case fs::file_type::directory:
      return std::nullopt;  // a submission's directories may be named like source files
    default:
      return "is not a regular file but a pipe, a socket or a device; remove it";
  }
}

// Returns the reason why a directory entry is refused; nullopt if it is harmless for a build.
std::optional<std::string> fault_of(const fs::directory_entry& entry, const fs::path& folder) {
  std::error_code error;
  const fs::file_type type = entry.symlink_status(error).type();
  if (error) return "cannot be read: " + error.message();
  if (is_source(entry.path())) {
    if (const std::string fault = fault_of_name(entry.path().filename().string()); !fault.empty())
      return fault;
    return fault_of_source(entry, type);
  }
  // A file of any name can be included, by a path through folders of any name. An empty one, such as macOS's
  // "Icon\r", holds nothing that a rule would have to read.
  const bool is_empty = type == fs::file_type::regular && entry.file_size(error) == 0;
  if (const std::string fault = fault_of_misread_name(entry.path().filename().string());
      !fault.empty() && !is_empty)
    return fault;
  if (type != fs::file_type::regular && type != fs::file_type::symlink && type != fs::file_type::directory)
    return fault_of_source(entry, type);
  if (type == fs::file_type::symlink && entry.is_directory(error) && leads_outside(entry.path(), folder)) {
    return "is a symbolic link to a folder outside; copy the files that you need into the submission";
  }
  return std::nullopt;
}

}  // namespace

std::string fault_of_name(const std::string& name) {
  if (name.size() > kLongestName) {
    return fmt::format("has a name of {} bytes, more than the limit of {}: shorten it", name.size(),
                       kLongestName);
  }
  if (name.starts_with('-')) return "has a name that begins like an option, with `-`: rename it";
  const auto bad = std::find_if(name.begin(), name.end(), [](unsigned char c) {
    return std::iscntrl(c) != 0 ||
           std::string_view("\"\\`$").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (bad == name.end()) return {};
  return fmt::format(
      "has a name with the character {:#04x}: rename it, without control characters, double quotes, "
      "backslashes, backticks and dollar signs",
      static_cast<unsigned char>(*bad));
}

Result<Intake> look_through(const fs::path& folder) {
  Intake intake;
  std::error_code error;
  std::size_t entries = 0;
  std::uintmax_t bytes = 0;
  // Symbolic links are not followed: their targets do not belong to the submission.
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
    if (++entries > kMostEntries) {
      return fail(
          fmt::format("{} holds more than {} files and folders; a submission is a few source files: remove "
                      "what does not belong to it",
                      folder.string(), kMostEntries));
    }
    std::error_code ignored;
    if (const auto fault = fault_of(*it, folder)) {
      intake.refused.push_back({shown(it->path().lexically_relative(folder).string()), *fault});
    } else if (is_hidden(it->path())) {
      it.disable_recursion_pending();  // hidden folders such as .git must not affect the submission's hash
    } else if (it->symlink_status(ignored).type() == fs::file_type::regular) {
      intake.files.push_back(it->path());
      const std::uintmax_t size = it->file_size(ignored);
      bytes += ignored ? 0 : size;
      if (bytes > kMostBytes) {
        return fail(
            fmt::format("the files of {} have more than {} MiB; a submission is a few source files: "
                        "remove what does not belong to it",
                        folder.string(), kMostBytes >> 20));
      }
    }
  }
  if (error) return fail(fmt::format("{}: {}", folder.string(), error.message()));
  std::sort(intake.files.begin(), intake.files.end());
  std::sort(intake.refused.begin(), intake.refused.end(),
            [](const RefusedFile& a, const RefusedFile& b) { return a.name < b.name; });
  return intake;
}

}  // namespace warpmark::judge
