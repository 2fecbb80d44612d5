#include "harness/build/exports.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include <elf.h>
#include <fmt/format.h>

#include "harness/base/file.h"

namespace warpmark::build {

namespace {

// Start files (crti.o and others) add this many bytes to the ELF sections .init and .fini of every library:
// 27 and 13 on x86-64, 24 and 20 on arm64.
constexpr std::uint64_t kStartFiles = 40;

// A bounds-checked reader of ELF files; the input is untrusted because it was built from a student's source.
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

  [[nodiscard]] bool is_library() const {
    const auto header = at<Elf64_Ehdr>(0);
    return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
           header->e_type == ET_DYN;
  }

  [[nodiscard]] std::vector<Elf64_Shdr> sections(Elf64_Word type) const {
    std::vector<Elf64_Shdr> found;
    const auto header = at<Elf64_Ehdr>(0);
    for (unsigned i = 0; header && i < header->e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
      if (section && section->sh_type == type) found.push_back(*section);
    }
    return found;
  }

  // Returns the total bytes of all ELF sections with the given name.
  [[nodiscard]] std::uint64_t section_bytes(std::string_view name) const {
    const auto header = at<Elf64_Ehdr>(0);
    if (!header) return 0;
    const auto names = at<Elf64_Shdr>(header->e_shoff + header->e_shstrndx * sizeof(Elf64_Shdr));
    std::uint64_t bytes = 0;
    for (unsigned i = 0; names && i < header->e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
      if (section && text(names->sh_offset + section->sh_name) == name) bytes += section->sh_size;
    }
    return bytes;
  }

  template <class Entry, class Take>
  void each(const Elf64_Shdr& section, const Take& take) const {
    for (std::uint64_t offset = 0; offset + sizeof(Entry) <= section.sh_size; offset += sizeof(Entry)) {
      const auto entry = at<Entry>(section.sh_offset + offset);
      if (!entry) return;
      take(*entry);
    }
  }

  // Calls take(symbol, name) for each symbol in the ELF file's symbol tables of section type `table`
  // (SHT_DYNSYM or SHT_SYMTAB).
  template <class Take>
  void each_symbol(Elf64_Word table, const Take& take) const {
    const auto header = at<Elf64_Ehdr>(0);
    for (const Elf64_Shdr& section : sections(table)) {
      const auto strings = at<Elf64_Shdr>(header->e_shoff + section.sh_link * sizeof(Elf64_Shdr));
      if (!strings) continue;
      each<Elf64_Sym>(section, [&](const Elf64_Sym& symbol) {
        take(symbol, std::string(text(strings->sh_offset + symbol.st_name)));
      });
    }
  }

 private:
  std::string_view bytes_;
};

bool is_function(const Elf64_Sym& symbol) {
  const auto type = ELF64_ST_TYPE(symbol.st_info);
  return type == STT_FUNC || type == STT_GNU_IFUNC;
}

bool is_exported_function(const Elf64_Sym& symbol) {
  const auto binding = ELF64_ST_BIND(symbol.st_info);
  const auto visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return symbol.st_shndx != SHN_UNDEF && is_function(symbol) &&
         (binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE) &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

// Returns the names of the functions that the dynamic linker calls at load or unload: the entries of the
// section type `table` (SHT_INIT_ARRAY or SHT_FINI_ARRAY). The entries are zero in the file, so the names
// come from the relocations that fill them.
std::vector<std::string> called_from(const Elf& elf, Elf64_Word table) {
  std::vector<std::string> names;
  for (const Elf64_Shdr& section : elf.sections(table)) {
    for (const Elf64_Shdr& relocations : elf.sections(SHT_RELA)) {
      elf.each<Elf64_Rela>(relocations, [&](const Elf64_Rela& entry) {
        if (entry.r_offset < section.sh_addr || entry.r_offset - section.sh_addr >= section.sh_size) return;
        std::string name = "?";
        elf.each_symbol(SHT_SYMTAB, [&](const Elf64_Sym& symbol, std::string symbol_name) {
          if (is_function(symbol) && symbol.st_shndx != SHN_UNDEF &&
              symbol.st_value == static_cast<Elf64_Addr>(entry.r_addend))
            name = std::move(symbol_name);
        });
        names.push_back(std::move(name));
      });
    }
  }
  std::ranges::sort(names);
  return names;
}

// Returns true if the library has an IRELATIVE relocation, that is, an ifunc resolver that no symbol
// declares.
bool has_relocation_to_choose(const Elf& elf) {
  constexpr std::uint64_t kX86 = 37;    // relocation type R_X86_64_IRELATIVE
  constexpr std::uint64_t kArm = 1032;  // relocation type R_AARCH64_IRELATIVE
  bool found = false;
  for (const Elf64_Shdr& relocations : elf.sections(SHT_RELA)) {
    elf.each<Elf64_Rela>(relocations, [&](const Elf64_Rela& entry) {
      const std::uint64_t type = ELF64_R_TYPE(entry.r_info);
      found = found || type == kX86 || type == kArm;
    });
  }
  return found;
}

void sort_once(std::vector<std::string>& names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace

Result<Symbols> symbols_of(const std::filesystem::path& library) {
  const Result<std::string> bytes = read_file(library);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  const Elf elf(*bytes);
  if (!elf.is_library()) {
    return fail(fmt::format("{} is not a 64-bit little-endian ELF shared library", library.string()));
  }
  Symbols symbols;
  elf.each_symbol(SHT_DYNSYM, [&](const Elf64_Sym& symbol, std::string name) {
    if (name.empty()) return;
    if (symbol.st_shndx == SHN_UNDEF) symbols.undefined.push_back(name);
    if (is_exported_function(symbol)) symbols.exported.push_back(std::move(name));
  });
  elf.each_symbol(SHT_SYMTAB, [&](const Elf64_Sym& symbol, std::string name) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) symbols.resolvers.push_back(std::move(name));
  });
  if (has_relocation_to_choose(elf)) symbols.resolvers.emplace_back("?");
  for (auto* names : {&symbols.exported, &symbols.undefined, &symbols.resolvers}) sort_once(*names);
  symbols.constructors = called_from(elf, SHT_INIT_ARRAY);
  symbols.destructors = called_from(elf, SHT_FINI_ARRAY);
  // A section larger than the compiler's start files make it contains additional code that runs at load or
  // unload.
  if (elf.section_bytes(".init") > kStartFiles) symbols.constructors.emplace_back(".init");
  if (elf.section_bytes(".fini") > kStartFiles) symbols.destructors.emplace_back(".fini");
  return symbols;
}

}  // namespace warpmark::build
