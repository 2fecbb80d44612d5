#include "harness/assignment_check/same_code.h"

#include <cstring>
#include <string_view>

#include <elf.h>
#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/simulator/both/fat_binary.h"

namespace warpmark::assignment_check {
namespace {

// Copies a structure out of the bytes of an ELF file; returns false if it lies outside the file.
template <class Part>
bool read(std::string_view bytes, std::size_t at, Part& part) {
  if (at > bytes.size() || bytes.size() - at < sizeof part) return false;
  std::memcpy(&part, bytes.data() + at, sizeof part);
  return true;
}

// Returns the names and contents of an ELF file's sections with host code and constants (.text, .rodata,
// .data). The section with the device code is left out: source locations in it change its size.
std::string host_code(std::string_view bytes) {
  Elf64_Ehdr header;
  Elf64_Shdr names;
  if (!read(bytes, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
  if (!read(bytes, header.e_shoff + std::size_t{header.e_shstrndx} * sizeof names, names)) return {};
  std::string code;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read(bytes, header.e_shoff + i * sizeof section, section) || section.sh_type != SHT_PROGBITS)
      continue;
    if (section.sh_offset > bytes.size() || section.sh_size > bytes.size() - section.sh_offset) continue;
    const std::size_t at = names.sh_offset + section.sh_name;
    if (at >= bytes.size()) continue;
    const std::string_view name(bytes.data() + at, strnlen(bytes.data() + at, bytes.size() - at));
    if (!name.starts_with(".text") && !name.starts_with(".rodata") && !name.starts_with(".data")) continue;
    code += fmt::format("{} {}\n", name, bytes.substr(section.sh_offset, section.sh_size));
  }
  return code;
}

}  // namespace

std::string without_places(std::string_view ptx) {
  std::string code;
  bool debug = false;
  while (!ptx.empty()) {
    const std::string_view line = take_line(ptx);
    const std::string_view words = trimmed(line.substr(0, line.find("//")));
    if (words.starts_with(".section")) debug = true;
    if (debug && words == "}") {
      debug = false;
      continue;
    }
    // True for PTX directives and labels that serve debug information only.
    const bool place = words.starts_with(".loc") || words.starts_with(".file") ||
                       words.starts_with("$L__tmp") || words.starts_with("$L__func") ||
                       words.starts_with("Ltmp") || words.starts_with("Lfunc");
    if (debug || words.empty() || place) continue;
    code += words;
    code += '\n';
  }
  return code;
}

Result<Code> code_of(const std::filesystem::path& library) {
  const auto bytes = read_file(library);
  if (!bytes) return tl::unexpected(bytes.error());
  Code code{{}, host_code(*bytes)};
  bool any = false;
  // A program has device code of each of its source files.
  for (std::size_t at = bytes->find(simulator::kFatBinaryMagic); at != std::string::npos;
       at = bytes->find(simulator::kFatBinaryMagic, at + 1)) {
    const auto images = simulator::images_in(std::string_view(*bytes).substr(at));
    if (images.size() != 2) return fail(fmt::format("{}: its device code is not readable", library.string()));
    code.device += without_places(images[1]);
    any = true;
  }
  if (!any) return fail(fmt::format("{}: no device code", library.string()));
  return code;
}

}  // namespace warpmark::assignment_check
