#include "harness/build/exports.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include <elf.h>
#include <fmt/format.h>

#include "harness/base/file.h"

namespace warpmark::build {

namespace {

// Every access is checked: the file was made from a student's source.
class Elf {
 public:
  explicit Elf(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  [[nodiscard]] std::string_view text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::string_view rest = bytes_.substr(offset);
    return rest.substr(0, std::min(rest.find('\0'), rest.size()));
  }

 private:
  std::string_view bytes_;
};

bool is_exported_function(const Elf64_Sym& symbol) {
  const auto type = ELF64_ST_TYPE(symbol.st_info);
  const auto binding = ELF64_ST_BIND(symbol.st_info);
  const auto visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return symbol.st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC) &&
         (binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE) &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

}  // namespace

Result<std::vector<std::string>> exported_functions(const std::filesystem::path& library) {
  const Result<std::string> bytes = read_file(library);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  const Elf elf(*bytes);
  const auto header = elf.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_type != ET_DYN) {
    return fail(fmt::format("{} is not a 64-bit little-endian ELF shared library", library.string()));
  }
  std::vector<std::string> names;
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto section = elf.at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section || section->sh_type != SHT_DYNSYM) continue;
    const auto strings = elf.at<Elf64_Shdr>(header->e_shoff + section->sh_link * sizeof(Elf64_Shdr));
    if (!strings) continue;
    for (std::uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= section->sh_size;
         offset += sizeof(Elf64_Sym)) {
      const auto symbol = elf.at<Elf64_Sym>(section->sh_offset + offset);
      if (!symbol) break;
      if (is_exported_function(*symbol)) names.emplace_back(elf.text(strings->sh_offset + symbol->st_name));
    }
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace warpmark::build
