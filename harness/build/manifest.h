// What the cache writes down about a library: its digest, and the files that were read while it was built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

inline constexpr std::string_view kManifestFormat = "warpmark.library/5";
inline constexpr int kOutside = -1;

// One included file: relative to the folder of that index, or absolute and kOutside.
struct Included {
  int folder = kOutside;
  std::string name;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  std::string digest;  // SHA-256 of the contents
};

struct Manifest {
  std::string library_digest;  // SHA-256 of the contents
  bool uses_thrust = false;
  std::vector<Included> included;
  std::string warnings{};  // the compiler's, each in a line
};

// Appends "<length>:<field>", so that no two lists of fields make the same text.
void add_field(std::string& text, std::string_view field);

std::string to_text(const Manifest& manifest);
// Nothing for a text that is damaged or of another format.
std::optional<Manifest> manifest_from(std::string_view text);

}  // namespace warpmark::build
