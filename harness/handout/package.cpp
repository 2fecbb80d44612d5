#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/handout/handout.h"

namespace warpmark::handout {
namespace {

namespace fs = std::filesystem;

// Returns true if the text has no character that is special in a shell, YAML or CMake.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-._~+:/?&=%,").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

Result<Package> package_at(const std::string& address) {
  static constexpr std::string_view kSum = "#sha256=";
  const std::size_t hash = std::min(address.find('#'), address.size());
  const std::string place = address.substr(0, hash);
  const std::string_view rest = std::string_view(address).substr(hash);
  if (!rest.empty() && (!rest.starts_with(kSum) || !is_sha256(rest.substr(kSum.size()))))
    return fail(
        fmt::format("--package {}: after # only sha256= with 64 hexadecimal digits is allowed", address));
  if (place.starts_with("http://") && rest.empty())
    return fail(
        fmt::format("--package {}: a download over http:// can be altered on the way; use https://, or end "
                    "the address with #sha256=HEX",
                    address));
  if (!is_plain(place))
    return fail(
        fmt::format("--package {}: the address holds a character that would have to be escaped", address));
  const std::string path = place.substr(0, place.find('?'));
  return Package{path.substr(path.rfind('/') + 1), address, {}};
}

Result<Package> package_of(const fs::path& file) {
  auto bytes = read_file(file);
  if (!bytes) return fail("--package " + bytes.error().message);
  const std::string name = file.filename().string();
  if (!is_plain(name))
    return fail(
        fmt::format("--package {}: give the file a name of letters, digits and -._~+", file.string()));
  const std::string_view begin = name.ends_with(".deb") ? std::string_view("!<arch>\n")
                                                        : std::string_view(
                                                              "\xFD"
                                                              "7zXZ\0",
                                                              6);
  if (!bytes->starts_with(begin))
    return fail(fmt::format("--package {}: this file is not {}, despite its name", file.string(),
                            name.ends_with(".deb") ? "a Debian package" : "an xz archive"));
  return Package{name, {}, std::move(*bytes)};
}

}  // namespace

Result<Package> open_package(const std::string& named) {
  if (named.empty()) return Package{};
  const bool remote = named.starts_with("https://") || named.starts_with("http://");
  if (!remote && named.find("://") != std::string::npos)
    return fail(fmt::format("--package {}: name a file, or an https:// address", named));
  const std::string path = remote ? named.substr(0, named.find_first_of("?#")) : named;
  if (!path.ends_with(".deb") && !path.ends_with(".tar.xz"))
    return fail(fmt::format(
        "--package {}: name a .deb or a .tar.xz of Warpmark; ./warpmark package DIR of a clone makes both",
        named));
  return remote ? package_at(named) : package_of(named);
}

}  // namespace warpmark::handout
