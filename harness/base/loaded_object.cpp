#include "harness/base/loaded_object.h"

#include <algorithm>

#include <link.h>

namespace warpmark {

LoadedObject loaded_object_at(std::uint64_t address) {
  struct Search {
    std::uint64_t address;
    LoadedObject found;
  } search{address, {}};
  // An address of 0 requests the executable, which is the first object that dl_iterate_phdr reports.
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        auto& wanted = *static_cast<Search*>(to);
        LoadedObject it{.begin = UINT64_MAX, .end = 0, .shift = object->dlpi_addr};
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          it.begin = std::min<std::uint64_t>(it.begin, it.shift + segment.p_vaddr);
          it.end = std::max<std::uint64_t>(it.end, it.shift + segment.p_vaddr + segment.p_memsz);
        }
        const bool is_wanted = wanted.address == 0 || it.holds(wanted.address);
        if (is_wanted) wanted.found = it;
        return is_wanted ? 1 : 0;
      },
      &search);
  return search.found;
}

}  // namespace warpmark
