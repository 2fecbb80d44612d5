// Manifest of a cached library: the library's digest, and the files that the compiler read during the build.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

inline constexpr std::string_view kManifestFormat = "warpmark.library/5";
inline constexpr int kOutside = -1;

// A file that a cached library's source includes: a path relative to include folder number `folder` of the
// build, or an absolute path if folder is kOutside.
struct Included {
  int folder = kOutside;
  std::string name;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  // SHA-256 of an included file's contents, to detect changes since the library was cached.
  std::string digest;
};

struct Manifest {
  std::string library_digest;  // SHA-256 of the cached shared library
  bool uses_thrust = false;
  std::vector<Included> included;
  std::string warnings{};  // the compiler's warnings, one per line
};

// Appends "<length>:<field>", so that different lists of fields never produce the same text.
void add_field(std::string& text, std::string_view field);

std::string to_text(const Manifest& manifest);
// Parses a cached library's manifest; returns nullopt if the text is damaged or has another format.
std::optional<Manifest> manifest_from(std::string_view text);

}  // namespace warpmark::build
