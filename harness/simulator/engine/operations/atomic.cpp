// Handlers of atom and red instructions. They use the host's atomic operations, lane by lane, because blocks
// run on several host threads.
#include <atomic>

#include "harness/simulator/engine/operations/locate.h"
#include "harness/simulator/engine/operations/tables.h"
#include "harness/simulator/engine/operations/variant.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

using ptx::Type;

struct Add {
  template <class T>
  static T apply(T old, T b, T) {
    if constexpr (std::is_floating_point_v<T>)
      return old + b;
    else
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) +
                            static_cast<std::make_unsigned_t<T>>(b));
  }
};
struct Minimum {
  template <class T>
  static T apply(T old, T b, T) {
    return b < old ? b : old;
  }
};
struct Maximum {
  template <class T>
  static T apply(T old, T b, T) {
    return old < b ? b : old;
  }
};
struct And {
  template <class T>
  static T apply(T old, T b, T) {
    return static_cast<T>(old & b);
  }
};
struct Or {
  template <class T>
  static T apply(T old, T b, T) {
    return static_cast<T>(old | b);
  }
};
struct Xor {
  template <class T>
  static T apply(T old, T b, T) {
    return static_cast<T>(old ^ b);
  }
};
struct Exchange {
  template <class T>
  static T apply(T, T b, T) {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  static T apply(T old, T b, T c) {
    return old == b ? c : old;
  }
};
struct Increment {
  template <class T>
  static T apply(T old, T b, T) {
    return old >= b ? T{0} : static_cast<T>(old + 1);
  }
};
struct Decrement {
  template <class T>
  static T apply(T old, T b, T) {
    return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
};

template <class Op, class T>
T update(T& memory, T b, T c) {
  const std::atomic_ref<T> cell(memory);
  if constexpr (std::is_same_v<Op, Add> && std::is_integral_v<T>) return cell.fetch_add(b);
  T old = cell.load(std::memory_order_relaxed);
  while (!cell.compare_exchange_weak(old, Op::apply(old, b, c))) {
  }
  return old;
}

template <class Op, class T>
void atomic(Context& c, const Instruction& i) {
  Slots slots;
  const Located at = locate<sizeof(T)>(c, i, Access::atomic, slots);
  if (at.kind == Located::Kind::failed) return;
  const auto order = observe_in_order(c, i, Access::atomic, at, slots);
  if (may_last(c, i)) c.lasting_effect->store(true, std::memory_order_relaxed);
  const T* b = c.read<T>(i.operands[1]);
  const T* swap = i.operands[2] == kNoOperand ? b : c.read<T>(i.operands[2]);
  T* d = i.operands[0] == kNoOperand ? nullptr : c.write<T>(i.operands[0]);
  for_each_lane(c.mask, [&](unsigned lane) {
    T old;
    if (at.kind == Located::Kind::flat) {
      old = update<Op, T>(*reinterpret_cast<T*>(host_pointer(c.addresses[lane], at.delta)), b[lane],
                          swap[lane]);
    } else if (at.kind == Located::Kind::scattered && !slots[lane].local) {
      old = update<Op, T>(*reinterpret_cast<T*>(slots[lane].host), b[lane], swap[lane]);
    } else {  // local memory: needs no atomicity, as no other thread accesses it
      const Slot slot =
          at.kind == Located::Kind::row ? Slot{at.row + std::size_t{4} * lane, true, kNoPlace} : slots[lane];
      old = read_slot<T>(slot, 0);
      write_slot<T>(slot, 0, Op::apply(old, b[lane], swap[lane]));
    }
    if (d != nullptr) d[lane] = old;
  });
}

template <class Op>
Handler integers(Type type) {
  switch (type) {
    case Type::s32:
      return &atomic<Op, std::int32_t>;
    case Type::u32:
      return &atomic<Op, std::uint32_t>;
    case Type::s64:
      return &atomic<Op, std::int64_t>;
    case Type::u64:
      return &atomic<Op, std::uint64_t>;
    default:
      return nullptr;
  }
}
template <class Op>
Handler plain_bits(Type type) {
  if (type == Type::b32) return &atomic<Op, std::uint32_t>;
  if (type == Type::b64) return &atomic<Op, std::uint64_t>;
  return nullptr;
}
Handler swaps(Type type) {
  return type == Type::b16 ? &atomic<CompareAndSwap, std::uint16_t> : plain_bits<CompareAndSwap>(type);
}
template <class Op>
Handler unsigned_words(Type type) {
  return type == Type::u32 ? &atomic<Op, std::uint32_t> : nullptr;
}
Handler additions(Type type) {
  if (type == Type::f32) return &atomic<Add, float>;
  if (type == Type::f64) return &atomic<Add, double>;
  return integers<Add>(type);
}

struct AtomicRow {
  std::string_view name;
  Handler (*pick)(Type);
};
constexpr AtomicRow kRows[] = {
    {"add", additions},
    {"min", integers<Minimum>},
    {"max", integers<Maximum>},
    {"and", plain_bits<And>},
    {"or", plain_bits<Or>},
    {"xor", plain_bits<Xor>},
    {"exch", plain_bits<Exchange>},
    {"cas", swaps},
    {"inc", unsigned_words<Increment>},
    {"dec", unsigned_words<Decrement>},
};

}  // namespace

Handler atomic_handler(std::string_view operation, Type type) {
  for (const AtomicRow& row : kRows) {
    if (row.name == operation) return row.pick(type);
  }
  return nullptr;
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
