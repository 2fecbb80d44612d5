// Handlers of load and store instructions. They access global memory with relaxed atomic operations of the
// host, because blocks run on several host threads and may synchronise through global memory.
#include <type_traits>

#include "harness/simulator/engine/operations/locate.h"
#include "harness/simulator/engine/operations/tables.h"
#include "harness/simulator/engine/operations/variant.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

using ptx::Type;

template <class T>
T peek(const std::byte* at) {
  return __atomic_load_n(reinterpret_cast<const T*>(at), __ATOMIC_RELAXED);
}
template <class T>
void poke(std::byte* at, T value) {
  __atomic_store_n(reinterpret_cast<T*>(at), value, __ATOMIC_RELAXED);
}

// Converts a loaded value of type M to the register type R: sign-extends it if M is signed, zero-extends it
// otherwise.
template <class R, class M>
R extended(M value) {
  if constexpr (std::is_signed_v<M>)
    return static_cast<R>(static_cast<std::make_signed_t<R>>(value));
  else
    return static_cast<R>(value);
}

// Load and store one lane's value in local memory, where a row holds one 4-byte word per lane.
template <class M>
M read_row(const std::byte* row, unsigned lane) {
  M value;
  if constexpr (sizeof(M) == 8) {
    std::uint32_t words[2];
    std::memcpy(&words[0], row + std::size_t{4} * lane, 4);
    std::memcpy(&words[1], row + kRowBytes + std::size_t{4} * lane, 4);
    value = static_cast<M>(std::uint64_t{words[1]} << 32 | words[0]);
  } else {
    std::memcpy(&value, row + std::size_t{4} * lane, sizeof(M));
  }
  return value;
}
template <class M>
void write_row(std::byte* row, unsigned lane, M value) {
  if constexpr (sizeof(M) == 8) {
    const auto low = static_cast<std::uint32_t>(value);
    const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) >> 32);
    std::memcpy(row + std::size_t{4} * lane, &low, 4);
    std::memcpy(row + kRowBytes + std::size_t{4} * lane, &high, 4);
  } else {
    std::memcpy(row + std::size_t{4} * lane, &value, sizeof(M));
  }
}

// Load and store a row of local memory for the lanes of the mask. M: type in memory; R: type of the register,
// at least as wide.
template <class M, class R>
void row_to_register(const std::byte* row, R* d, std::uint32_t mask) {
  if (mask == kAllLanes) {
#pragma GCC ivdep
    for (unsigned lane = 0; lane < kLanes; ++lane) d[lane] = extended<R>(read_row<M>(row, lane));
    return;
  }
  if (is_one_lane(mask)) {
    const auto lane = static_cast<unsigned>(std::countr_zero(mask));
    d[lane] = extended<R>(read_row<M>(row, lane));
    return;
  }
  alignas(64) R values[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = extended<R>(read_row<M>(row, lane));
  blend(d, values, mask);
}
template <class M, class R>
void register_to_row(std::byte* row, const R* s, std::uint32_t mask) {
  if (mask == kAllLanes) {
#pragma GCC ivdep
    for (unsigned lane = 0; lane < kLanes; ++lane) write_row<M>(row, lane, static_cast<M>(s[lane]));
    return;
  }
  for_each_lane(mask, [&](unsigned lane) { write_row<M>(row, lane, static_cast<M>(s[lane])); });
}

// True if all lanes are active and access consecutive values.
template <class M>
bool side_by_side(const Context& c) {
  if (c.mask != kAllLanes) return false;
  std::uint64_t elsewhere = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    elsewhere |= (c.addresses[lane] - c.addresses[0]) ^ (lane * sizeof(M));
  return elsewhere == 0;
}

// Loads the values at Context::addresses + delta. Consecutive values are copied as a whole: vector moves do
// not tear aligned values.
template <class M, class R>
void load_flat(const Context& c, bool together, std::ptrdiff_t delta, R* d) {
  if (together && side_by_side<M>(c)) {
    alignas(64) M values[kLanes];
    std::memcpy(values, host_pointer(c.addresses[0], delta), sizeof values);
    for (unsigned lane = 0; lane < kLanes; ++lane) d[lane] = extended<R>(values[lane]);
  } else if (c.mask == kAllLanes && all_equal(c.addresses.data())) {
    const R value = extended<R>(peek<M>(host_pointer(c.addresses[0], delta)));
    for (unsigned lane = 0; lane < kLanes; ++lane) d[lane] = value;
  } else {
    for_each_lane(c.mask, [&](unsigned lane) {
      d[lane] = extended<R>(peek<M>(host_pointer(c.addresses[lane], delta)));
    });
  }
}

template <class M, class R, unsigned N>
void load(Context& c, const Instruction& i) {
  Slots slots;
  const Located at = locate<N * sizeof(M)>(c, i, Access::read, slots);
  std::unique_lock<std::mutex> order;
  if (i.strong()) [[unlikely]]
    order = observe_in_order(c, i, Access::read, at, slots);
  else
    observe(c, i, Access::read, at, slots);
  for (unsigned n = 0; n < N; ++n) {
    if (i.operands[n] == kNoOperand) continue;
    R* d = aligned(c.write<R>(i.operands[n]));
    switch (at.kind) {
      case Located::Kind::flat:
        load_flat<M>(c, N == 1 && !i.strong(), at.delta + static_cast<std::ptrdiff_t>(n * sizeof(M)), d);
        break;
      case Located::Kind::row:
        row_to_register<M, R>(row_of(at.row, n * sizeof(M)), d, c.mask);
        break;
      case Located::Kind::scattered:
        for_each_lane(c.mask, [&](unsigned lane) {
          d[lane] = extended<R>(read_slot<M>(slots[lane], n * static_cast<unsigned>(sizeof(M))));
        });
        break;
      case Located::Kind::failed:
        return;
    }
  }
}

// Sets Context::lasting_effect if the store changes the memory's contents.
template <class M, class R>
void note_change(Context& c, const R* values, std::ptrdiff_t delta) {
  bool changes = false;
  for_each_lane(c.mask, [&](unsigned lane) {
    changes |= peek<M>(host_pointer(c.addresses[lane], delta)) != static_cast<M>(values[lane]);
  });
  if (changes) c.lasting_effect->store(true, std::memory_order_relaxed);
}

template <class M, class R>
void store_flat(const Context& c, bool together, std::ptrdiff_t delta, const R* s) {
  if (together && side_by_side<M>(c)) {
    alignas(64) M values[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = static_cast<M>(s[lane]);
    std::memcpy(host_pointer(c.addresses[0], delta), values, sizeof values);
    return;
  }
  for_each_lane(c.mask, [&](unsigned lane) {
    poke<M>(host_pointer(c.addresses[lane], delta), static_cast<M>(s[lane]));
  });
}

template <class M, class R, unsigned N>
void store(Context& c, const Instruction& i) {
  Slots slots;
  const Located at = locate<N * sizeof(M)>(c, i, Access::write, slots);
  std::unique_lock<std::mutex> order;
  if (i.strong()) [[unlikely]]
    order = observe_in_order(c, i, Access::write, at, slots);
  else
    observe(c, i, Access::write, at, slots);
  for (unsigned n = 0; n < N; ++n) {
    const R* s = aligned(c.read<R>(i.operands[n]));
    switch (at.kind) {
      case Located::Kind::flat:
        if (may_last(c, i)) note_change<M>(c, s, at.delta + static_cast<std::ptrdiff_t>(n * sizeof(M)));
        store_flat<M>(c, N == 1 && !i.strong(), at.delta + static_cast<std::ptrdiff_t>(n * sizeof(M)), s);
        break;
      case Located::Kind::row:
        register_to_row<M, R>(row_of(at.row, n * sizeof(M)), s, c.mask);
        break;
      case Located::Kind::scattered:
        if (may_last(c, i)) c.lasting_effect->store(true, std::memory_order_relaxed);
        for_each_lane(c.mask, [&](unsigned lane) {
          write_slot<M>(slots[lane], n * static_cast<unsigned>(sizeof(M)), static_cast<M>(s[lane]));
        });
        break;
      case Located::Kind::failed:
        return;
    }
  }
}

// Loads from the function's frame at a fixed offset, the same for all lanes: local variables of -O0 code,
// arguments and results of calls.
template <class M, class R, unsigned N>
void load_frame(Context& c, const Instruction& i) {
  for (unsigned n = 0; n < N; ++n) {
    if (i.operands[n] == kNoOperand) continue;
    row_to_register<M, R>(row_of(c.frame + i.offset, n * sizeof(M)), aligned(c.write<R>(i.operands[n])),
                          c.mask);
  }
}
template <class M, class R, unsigned N>
void store_frame(Context& c, const Instruction& i) {
  for (unsigned n = 0; n < N; ++n) {
    register_to_row<M, R>(row_of(c.frame + i.offset, n * sizeof(M)), aligned(c.read<R>(i.operands[n])),
                          c.mask);
  }
}

template <class M, class R, unsigned N>
void load_parameter(Context& c, const Instruction& i) {
  for (unsigned n = 0; n < N; ++n) {
    if (i.operands[n] == kNoOperand) continue;
    M value;
    std::memcpy(&value, c.parameters + i.offset + n * sizeof(M), sizeof(M));
    R* d = aligned(c.write<R>(i.operands[n]));
    for_each_lane(c.mask, [&](unsigned lane) { d[lane] = extended<R>(value); });
  }
}

void frame_address(Context& c, const Instruction& i) {
  auto* d = c.write<Address>(i.operands[0]);
  const Address window = i.space == ptx::Space::local ? 0 : c.local_window;
  const Address address =
      window + static_cast<Address>(c.frame - c.local) / kLanes + static_cast<Address>(i.offset);
  for_each_lane(c.mask, [&](unsigned lane) { d[lane] = address; });
}

// Returns Op<M, R, N> for a move between memory and a register: M is the type in memory, R that of the
// register, N the number of vector elements. A signed M is sign-extended to a wider R.
template <template <class, class, unsigned> class Op, class M>
Handler with_register(const Move& move) {
  const auto with_vector = [&]<class R>() -> Handler {
    switch (move.vector) {
      case 1:
        return &Op<M, R, 1>::run;
      case 2:
        return &Op<M, R, 2>::run;
      case 4:
        if constexpr (sizeof(M) <= 4) return &Op<M, R, 4>::run;
        return nullptr;
      default:
        return nullptr;
    }
  };
  if constexpr (sizeof(M) <= 2) {
    if (move.register_bytes == 2) return with_vector.template operator()<std::uint16_t>();
  }
  if constexpr (sizeof(M) <= 4) {
    if (move.register_bytes == 4) return with_vector.template operator()<std::uint32_t>();
  }
  if (move.register_bytes == 8) return with_vector.template operator()<std::uint64_t>();
  return nullptr;
}
template <template <class, class, unsigned> class Op>
Handler with_memory(const Move& move) {
  switch (move.memory) {
    case Type::s8:
      return with_register<Op, std::int8_t>(move);
    case Type::b8:
    case Type::u8:
      return with_register<Op, std::uint8_t>(move);
    case Type::s16:
      return with_register<Op, std::int16_t>(move);
    case Type::b16:
    case Type::f16:
    case Type::u16:
      return with_register<Op, std::uint16_t>(move);
    case Type::s32:
      return with_register<Op, std::int32_t>(move);
    case Type::b32:
    case Type::f32:
    case Type::u32:
      return with_register<Op, std::uint32_t>(move);
    case Type::b64:
    case Type::f64:
    case Type::s64:
    case Type::u64:
      return with_register<Op, std::uint64_t>(move);
    default:
      return nullptr;
  }
}
// Makes the type in memory unsigned: a store copies bits, so signedness does not matter.
Move unsigned_move(Move move) {
  switch (move.memory) {
    case Type::s8:
      move.memory = Type::u8;
      break;
    case Type::s16:
      move.memory = Type::u16;
      break;
    case Type::s32:
      move.memory = Type::u32;
      break;
    default:
      break;
  }
  return move;
}

template <class M, class R, unsigned N>
struct Load {
  static void run(Context& c, const Instruction& i) { load<M, R, N>(c, i); }
};
template <class M, class R, unsigned N>
struct Store {
  static void run(Context& c, const Instruction& i) { store<M, R, N>(c, i); }
};
template <class M, class R, unsigned N>
struct LoadFrame {
  static void run(Context& c, const Instruction& i) { load_frame<M, R, N>(c, i); }
};
template <class M, class R, unsigned N>
struct StoreFrame {
  static void run(Context& c, const Instruction& i) { store_frame<M, R, N>(c, i); }
};
template <class M, class R, unsigned N>
struct LoadParameter {
  static void run(Context& c, const Instruction& i) { load_parameter<M, R, N>(c, i); }
};

}  // namespace

Handler load_handler(const Move& move) {
  return with_memory<Load>(move);
}
Handler store_handler(const Move& move) {
  return with_memory<Store>(unsigned_move(move));
}
Handler load_frame_handler(const Move& move) {
  return with_memory<LoadFrame>(move);
}
Handler store_frame_handler(const Move& move) {
  return with_memory<StoreFrame>(unsigned_move(move));
}
Handler load_parameter_handler(const Move& move) {
  return with_memory<LoadParameter>(move);
}
Handler frame_address_handler() {
  return &frame_address;
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
