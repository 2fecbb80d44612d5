// Machine-code templates for loads and stores of global and shared memory.
#include "harness/simulator/engine/native/memory_access.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator::native {

using ptx::Type;

void add_memory_templates(Templates& all) {
  struct Kind {
    Type type;
    bool is_signed;
  };
  constexpr Kind kinds[] = {{Type::s8, true},  {Type::u8, false},  {Type::s16, true}, {Type::u16, false},
                            {Type::s32, true}, {Type::u32, false}, {Type::u64, false}};
  for (const Kind& kind : kinds) {
    const auto bytes = static_cast<unsigned>(size_of(kind.type));
    for (const unsigned wide : {2U, 4U, 8U}) {
      for (const unsigned count : {1U, 2U, 4U}) {
        if (wide < bytes || (count > 1 && (bytes < 4 || bytes != wide))) continue;
        const Move move{.memory = kind.type, .register_bytes = wide, .vector = count};
        const Shape shape{bytes, kind.is_signed, wide, count};
        if (const Handler handler = operations().load(move); handler != nullptr) {
          all[handler] = [shape](Emitter& e, const Instruction& i, Label& otherwise) {
            MemoryAccess(e, i, shape, otherwise).load();
          };
        }
        if (const Handler handler = operations().store(move); handler != nullptr) {
          all[handler] = [shape](Emitter& e, const Instruction& i, Label& otherwise) {
            MemoryAccess(e, i, shape, otherwise).store();
          };
        }
      }
    }
  }
}

const Templates& templates() {
  static const Templates all = [] {
    Templates made;
    add_integer_templates(made);
    add_real_templates(made);
    add_choice_templates(made);
    add_memory_templates(made);
    made.erase(nullptr);
    return made;
  }();
  return all;
}

}  // namespace warpmark::simulator::native
