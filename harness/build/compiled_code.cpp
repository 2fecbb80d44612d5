#include "harness/build/compiled_code.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <string_view>

#include <elf.h>
#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/simulator/both/fat_binary.h"

namespace warpmark::build {
namespace {

// Copies a structure out of the bytes of an ELF file; returns false if it lies outside the file.
template <class Part>
bool read_part(std::string_view bytes, std::size_t at, Part& part) {
  if (at > bytes.size() || bytes.size() - at < sizeof part) return false;
  std::memcpy(&part, bytes.data() + at, sizeof part);
  return true;
}

// Returns the names and contents of an ELF file's sections with host code and constants (.text, .rodata,
// .data). The section with the device code is left out: source locations in it change its size.
std::string host_code(std::string_view bytes) {
  Elf64_Ehdr header;
  Elf64_Shdr names;
  if (!read_part(bytes, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
  if (!read_part(bytes, header.e_shoff + std::size_t{header.e_shstrndx} * sizeof names, names)) return {};
  std::string code;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read_part(bytes, header.e_shoff + i * sizeof section, section) || section.sh_type != SHT_PROGBITS)
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

// Returns the PTX images (-O0, -O2) of each source file of a library or program.
std::vector<std::vector<std::string_view>> all_images(std::string_view bytes) {
  std::vector<std::vector<std::string_view>> all;
  for (std::size_t at = bytes.find(simulator::kFatBinaryMagic); at != std::string_view::npos;
       at = bytes.find(simulator::kFatBinaryMagic, at)) {
    auto images = simulator::images_in(bytes.substr(at));
    at += simulator::kFatBinaryMagic.size();
    if (images.size() != 2) continue;
    // Continues behind the images: what looks like a fat binary inside of them is none.
    at = static_cast<std::size_t>(images[1].data() + images[1].size() - bytes.data());
    all.push_back(std::move(images));
  }
  return all;
}

Result<std::string> optimised_ptx(std::string_view bytes, const std::filesystem::path& library) {
  const auto all = all_images(bytes);
  if (all.empty()) return fail(fmt::format("{}: no device code", library.string()));
  std::string code;
  for (const auto& images : all) code += without_places(images[1]);
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

std::string without_names(std::string_view ptx) {
  const auto in_a_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
  };
  // Calls found(name, begin, end) for each word of `text` that may be a name: no directive, register or
  // number.
  const auto each_name = [&](std::string_view text, const auto& found) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = at;
      while (at < text.size() && in_a_name(text[at])) ++at;
      const bool joined = begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == '%');
      if (at > begin && !joined && std::isdigit(static_cast<unsigned char>(text[begin])) == 0)
        found(text.substr(begin, at - begin), begin, at);
      if (at == begin) ++at;
    }
  };
  std::map<std::string_view, std::size_t> numbers;  // 0: not seen yet
  for (std::string_view rest = ptx; !rest.empty();) {
    const std::string_view line = trimmed(take_line(rest));
    // The runtime's functions (vprintf, malloc) are declared, not defined: they keep their names.
    if (!line.starts_with('.') || line.starts_with(".extern .func")) continue;
    each_name(line, [&](std::string_view name, std::size_t, std::size_t) { numbers.try_emplace(name, 0); });
  }
  std::string code;
  std::size_t copied = 0;
  std::size_t next = 0;
  each_name(ptx, [&](std::string_view name, std::size_t begin, std::size_t end) {
    const auto number = numbers.find(name);
    if (number == numbers.end()) return;
    if (number->second == 0) number->second = ++next;
    code += fmt::format("{}#{}", ptx.substr(copied, begin - copied), number->second);
    copied = end;
  });
  return code.append(ptx.substr(copied));
}

Result<std::string> optimised_ptx_of(const std::filesystem::path& library) {
  const auto bytes = read_file(library);
  if (!bytes) return tl::unexpected(bytes.error());
  return optimised_ptx(*bytes, library);
}

std::vector<std::string> modules_of(const std::filesystem::path& library) {
  std::vector<std::string> modules;
  const auto bytes = read_file(library);
  if (!bytes) return modules;
  for (const auto& images : all_images(*bytes)) modules.push_back(simulator::digest_of(images[0], images[1]));
  return modules;
}

Result<Code> code_of(const std::filesystem::path& library) {
  const auto bytes = read_file(library);
  if (!bytes) return tl::unexpected(bytes.error());
  auto device = optimised_ptx(*bytes, library);
  if (!device) return tl::unexpected(device.error());
  return Code{std::move(*device), host_code(*bytes)};
}

}  // namespace warpmark::build
