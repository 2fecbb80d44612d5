#include "harness/class/intake/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <utf8proc.h>

namespace warpmark::classroom {
namespace {

constexpr std::size_t kLongestPath = 1000;  // limit in bytes on a submitted file's path
// Limit on one component of a path, in bytes; file systems allow 255.
constexpr std::size_t kLongestPart = 200;
constexpr std::size_t kDeepest = 20;

constexpr std::array<std::string_view, 9> kArchiveEndings{
    ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tgz", ".tbz2", ".txz", ".tar", ".zip"};
constexpr std::array<std::string_view, 6> kForeignEndings{".rar", ".7z", ".gz", ".lzh", ".ace", ".dmg"};

std::string lower(std::string_view text) {
  std::string all(text);
  std::ranges::transform(all, all.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return all;
}

std::string_view archive_ending(const std::string& name) {
  for (const std::string_view ending : kArchiveEndings) {
    if (name.size() > ending.size() && name.ends_with(ending)) return ending;
  }
  return {};
}

// Escapes control characters and bytes that are not valid UTF-8.
std::string readable(std::string_view name) {
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    utf8proc_int32_t code = -1;
    const auto rest = name.substr(at, 4);
    const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(rest.data()),
                                                    static_cast<utf8proc_ssize_t>(rest.size()), &code);
    if (bytes <= 0 || code < 0x20 || code == 0x7f) {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(name[at++]));
    } else {
      text += name.substr(at, static_cast<std::size_t>(bytes));
      at += static_cast<std::size_t>(bytes);
    }
  }
  return text;
}

}  // namespace

Result<std::string> safe_path(std::string_view name) {
  std::string text = readable(name);
  std::ranges::replace(text, '\\', '/');
  if (text.starts_with('/')) return fail("is an absolute path; pack the files with relative ones");
  if (text.size() > 1 && text[1] == ':') return fail("names a drive; pack the files with relative paths");
  if (text.size() > kLongestPath) return fail("has a path of more than 1000 bytes; shorten it");
  std::string path;
  std::size_t depth = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    const std::string part = text.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") return fail("leads out of its folder with `..`; pack the files without it");
    if (part.size() > kLongestPart) return fail("has a name of more than 200 bytes; shorten it");
    if (++depth > kDeepest) return fail("lies more than 20 folders deep; pack the folder with the .cu files");
    path += (path.empty() ? "" : "/") + part;
  }
  if (path.empty()) return fail("has no name");
  return path;
}

bool is_litter(std::string_view path) {
  static constexpr std::array<std::string_view, 7> kLitter{"__MACOSX",    ".DS_Store", "Thumbs.db",
                                                           "desktop.ini", ".git",      ".github",
                                                           ".warpmark"};  // Warpmark's own files
  while (!path.empty()) {
    const std::string_view part = first_part(path);
    if (std::ranges::find(kLitter, part) != kLitter.end() || part.starts_with("._")) return true;
    path.remove_prefix(std::min(path.size(), part.size() + 1));
  }
  return false;
}

bool is_archive(std::string_view path) {
  return !archive_ending(lower(last_part(path))).empty();
}

bool is_foreign_archive(std::string_view path) {
  const std::string name = lower(last_part(path));
  return !is_archive(path) && std::ranges::any_of(kForeignEndings, [&](std::string_view ending) {
    return name.ends_with(ending);
  });
}

std::string archive_stem(std::string_view path) {
  const std::string_view name = last_part(path);
  return std::string(name.substr(0, name.size() - archive_ending(lower(name)).size()));
}

std::string folded(std::string_view text) {
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t bytes =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &mapped,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
                                                  UTF8PROC_CASEFOLD));
  if (bytes < 0) return lower(text);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  return {reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(bytes)};
}

std::string_view first_part(std::string_view path) {
  return path.substr(0, path.find('/'));
}

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view folder_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace warpmark::classroom
