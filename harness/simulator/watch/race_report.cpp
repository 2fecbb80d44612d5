// Race detector: decides whether two accesses to a word race, and describes the race in terms of the source
// code.
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <thread>
#include <type_traits>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {
namespace {

const char* verb(const Touch& touch) {
  if (touch.access == Access::read) return "reads";
  return touch.access == Access::write ? "writes" : "updates atomically";
}

const char* verb(const Toucher& old) {
  if (!old.wrote) return "reads";
  return old.atomic ? "updates atomically" : "writes";
}

bool in_block_alone(const Touch& touch) {
  return touch.instruction.strength == Strength::atomic_in_block;
}

// True if each byte that a lane is about to store equals other(i), where i is the byte's offset from the
// start of the access.
template <class Load>
bool all_bytes_equal(const Context& context, const Instruction& store, unsigned lane, Load other) {
  const std::size_t size = store.detail;  // bytes per stored element (register) of a scalar or vector store
  std::size_t byte = 0;
  for (std::size_t n = 0; n < kAddressOperand && store.operands[n] != kNoOperand; ++n) ++byte;
  const std::size_t each = store.width / std::max<std::size_t>(1, byte);
  for (std::size_t at = 0; at < store.width; ++at) {
    const auto* values = context.read<std::uint8_t>(store.operands[at / each]);
    if (values[lane * size + at % each] != other(at)) return false;
  }
  return true;
}

bool same_value(const Context& context, const Instruction& store, unsigned lane, unsigned other) {
  const std::size_t size = store.detail;
  std::size_t values_stored = 0;
  while (values_stored < kAddressOperand && store.operands[values_stored] != kNoOperand) ++values_stored;
  const std::size_t each = store.width / std::max<std::size_t>(1, values_stored);
  return all_bytes_equal(context, store, lane, [&](std::size_t at) {
    return context.read<std::uint8_t>(store.operands[at / each])[other * size + at % each];
  });
}

}  // namespace

// True if both accesses are strong (volatile or atomic) and form a flag protocol, such as one thread polling
// a flag that the other sets. A volatile access is not atomic and implies no ordering, so it counts only
// after a fence or in a polling loop.
bool BlockShadow::is_flag(const Context& context, const Touch& touch, unsigned lane, const Toucher& old) {
  if (!old.strong || !touch.instruction.strong()) return false;
  const std::size_t warp = context.warp->number();
  const auto me = static_cast<std::uint32_t>(warp * kLanes + lane);
  const bool i_write = touch.access != Access::read;
  const Scope scope = old.own_block ? block_scope : grid_scope;
  if (i_write && old.wrote) {
    // Two stores race unless they form a lock that is released by a plain store, or a flag that is passed
    // back and forth.
    if (touch.access == Access::atomic) return old.behind_fence;
    if (old.atomic) return has_fenced(me, scope);
    return has_fenced(me, scope) && answers(warp, publication_address(touch, lane), old);
  }
  const std::uint32_t read_site = i_write ? old.site : touch.instruction.site;
  // A line that waits for a flag may also clear it.
  if (launch_.program.sites[read_site].update && !launch_.polls(read_site)) return false;
  if (i_write ? is_atomic(touch) || has_fenced(me, scope) : old.atomic || old.behind_fence) return true;
  return !touch.shared && launch_.polls(read_site);
}

// Returns the kind of race between the lane's access and an older one to the same word; nullopt if the older
// access happened before, or the two cannot conflict.
std::optional<CauseKind> BlockShadow::conflict(const Context& context, const Touch& touch, unsigned lane,
                                               const Toucher& old) {
  const std::size_t warp = context.warp->number();
  const bool other_block = !old.own_block || old.several == Several::of_several_blocks;
  if (old.atomic && (is_atomic(touch) || touch.instruction.guess)) {
    const bool too_narrow = other_block && (old.in_block || in_block_alone(touch));
    if (!too_narrow || touch.instruction.guess) return std::nullopt;
  }
  auto kind = CauseKind::race;
  if (!other_block) {
    if (is_over(warp, lane, old)) return std::nullopt;
    if (old.thread / kLanes == warp && old.several != Several::of_a_block) kind = CauseKind::warp_synchronous;
  }
  if (kind == CauseKind::race && is_flag(context, touch, lane, old)) return std::nullopt;
  if (!published(warp, old) && !has_acquired(warp, publication_address(touch, lane), old)) return kind;
  const Scope scope = other_block ? grid_scope : block_scope;
  const bool unfenced = (publications_[warp].unfenced[scope] >> lane & 1) != 0;
  return unfenced ? std::optional(CauseKind::missing_fence) : std::nullopt;
}

// Reports that a fence is missing after an acquire: the accesses were ordered in this run, but without a
// fence the compiler or the hardware may reorder them.
void BlockShadow::report_missing_fence(const Context& context, const Touch& touch, unsigned lane,
                                       const Toucher& old) {
  report(
      CauseKind::missing_fence, context, touch, old.site, false, std::nullopt,
      [&](const MemoryName& name) {
        return fmt::format(
            "{} of {} {} {} after it has seen another thread's lock or flag, with no fence in between: the "
            "access "
            "may come before; put a {} behind the wait",
            block_.thread_name(*context.warp, lane), block_.block_name(), verb(touch), name.element,
            old.own_block ? "__threadfence_block()" : "__threadfence()");
      },
      touch.addresses[lane]);
}

// True if memory already holds the bytes that the lane is about to store.
bool BlockShadow::stores_what_is_there(const Context& context, const Touch& touch, unsigned lane) const {
  const Address address = touch.addresses[lane];
  const std::byte* there =
      touch.shared ? context.shared + address : launch_.memory.host_view(address, touch.width);
  return there != nullptr && all_bytes_equal(context, touch.instruction, lane, [&](std::size_t at) {
           return static_cast<std::uint8_t>(there[at]);
         });
}

// True if memory comes to hold the bytes that the lane is about to store. Another block's host thread records
// its store in the shadow cell before it writes the data, so this waits up to kPatience for the data.
bool BlockShadow::stores_what_comes(const Context& context, const Touch& touch, unsigned lane) const {
  // Maximum number of times per launch that the race detector waits until another block's store reaches
  // memory.
  constexpr int kMostWaits = 8;
  constexpr std::chrono::milliseconds kPatience{50};
  if (touch.shared || !block_.launch().several_threads || launch_.waits.fetch_add(1) >= kMostWaits)
    return false;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < end) {
    if (stores_what_is_there(context, touch, lane)) return true;
    std::this_thread::yield();
  }
  return false;
}

void BlockShadow::forget_changed_stores(const Context& context, const Touch& touch) {
  for (std::uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Address address = touch.addresses[lane];
    const bool same = touch.access == Access::write && same_stores_.knows(address) &&
                      stores_what_is_there(context, touch, lane);
    if (!same) same_stores_.forget(address, touch.width);
  }
}

// True for a store and a read that do not race because several threads, including the reader, have stored the
// same value to this word. Other readers of the word were checked when they read.
bool BlockShadow::reads_same_store(const Context& context, const Touch& touch, unsigned lane,
                                   const Toucher& old) const {
  if (!touch.shared || touch.access == Access::atomic || old.atomic) return false;
  const Address address = touch.addresses[lane];
  const auto me = static_cast<std::uint32_t>(context.warp->number() * kLanes + lane);
  if (touch.access == Access::read) return same_stores_.has(address, me);
  if (!same_stores_.knows(address) || !stores_what_is_there(context, touch, lane)) return false;
  return old.several != Several::one || same_stores_.has(address, old.thread);
}

void BlockShadow::judge(const Context& context, const Touch& touch, unsigned lane, const Toucher& old) {
  auto kind = conflict(context, touch, lane, old);
  if (!kind) return;
  if (*kind == CauseKind::missing_fence) return report_missing_fence(context, touch, lane, old);
  const bool both_store = touch.access == Access::write && old.wrote && !old.atomic;
  const bool by_another = !old.own_block || old.several == Several::of_several_blocks;
  if (both_store && (stores_what_is_there(context, touch, lane) ||
                     (by_another && stores_what_comes(context, touch, lane)))) {
    kind = CauseKind::same_value_store;
    if (touch.shared && old.own_block) {
      same_stores_.add(touch.addresses[lane], old.thread);
      same_stores_.add(touch.addresses[lane],
                       static_cast<std::uint32_t>(context.warp->number() * kLanes + lane));
    }
  }
  if (!both_store && reads_same_store(context, touch, lane, old)) return;
  // Of a load and a store, the load's line comes first in the report, whichever ran first.
  const bool other_first = touch.access != Access::read && !old.wrote;
  // A shadow cell that represents several readers may name the very thread that now stores. The race is then
  // with another reader, whose source line is known only if all readers share one.
  const bool unnamed = old.own_block && old.thread == context.warp->number() * kLanes + lane;
  const std::uint32_t other_site = unnamed && old.several_sites ? 0 : old.site;
  const Program& program = block_.launch().program;
  Conflict found{.array = {}, .shared = touch.shared, .barriers = launch_.barriers};
  found.is_volatile = touch.instruction.strength == Strength::is_volatile;
  if (by_another)
    found.within = Conflict::Within::grid;
  else if (old.thread / kLanes == context.warp->number() && old.several != Several::of_a_block)
    found.within = Conflict::Within::warp;
  found.reads = touch.access == Access::read || !old.wrote;
  const std::uint32_t reader = touch.access == Access::read ? touch.instruction.site : other_site;
  found.reads_other = found.reads && reader != 0 && !program.sites[reader].update;
  found.both_write = !found.reads;
  found.atomic = touch.access == Access::atomic || old.atomic;
  found.other_known = other_site != 0;
  report(
      *kind, context, touch, other_site, other_first, found,
      [&](const MemoryName& name, Finding& finding) {
        const ptx::Location& mine = block_.location(touch.instruction);
        std::string other = fmt::format("other threads {}", old.wrote ? "update atomically" : "read");
        if (!unnamed) {
          other = block_.thread_name(old.thread);
          if (old.several != Several::one) other += " among others";
          if (!old.own_block) other += " of " + block_.block_name(old.block);
          const auto line_of = [](const ptx::Location& place) { return static_cast<int>(place.line); };
          finding.accesses = {
              {block_.thread_name(*context.warp, lane), name.element, line_of(mine),
               touch.access != Access::read},
              {other, name.element,
               other_site == 0 ? 0 : line_of(program.locations[program.sites[other_site].location]),
               old.wrote}};
          if (!by_another) name_barriers(finding);
          other += fmt::format(" {}", verb(old));
        }
        if (other_site != 0) {
          const ptx::Location& place = program.locations[program.sites[other_site].location];
          other += fmt::format(
              " (line {}{})", place.line,
              place.file == mine.file ? std::string() : fmt::format(" of {}", block_.file_name(place)));
        }
        return fmt::format("{} of {} {} {} (line {}{}), which {}, and nothing orders the two",
                           block_.thread_name(*context.warp, lane), block_.block_name(), verb(touch),
                           name.element, mine.line, block_.callers(mine, context.warp), other);
      },
      touch.addresses[lane]);
}

void BlockShadow::find_same_word_stores(const Context& context, const Touch& touch) {
  std::array<std::pair<Address, unsigned>, kLanes> sorted;
  std::size_t count = 0;
  bool ascending = true;
  for (std::uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Address address = touch.addresses[lane];
    ascending = ascending && (count == 0 || sorted[count - 1].first + touch.width <= address);
    sorted[count++] = {address, lane};
  }
  if (ascending) return;
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count));
  // Index in the list of lanes sorted by address: the first lane that stores the same value to the same
  // address as its predecessor; 0: no lane does.
  std::size_t same = 0;
  std::size_t different = 0;
  for (std::size_t i = 1; i < count && different == 0; ++i) {
    if (sorted[i].first != sorted[i - 1].first) continue;
    const bool equal = same_value(context, touch.instruction, sorted[i - 1].second, sorted[i].second);
    if (!equal) different = i;
    if (equal && same == 0) same = i;
  }
  const std::size_t at = different != 0 ? different : same;
  if (at == 0) return;
  for (std::size_t i = 1; i < count && touch.shared && different == 0; ++i) {
    if (sorted[i].first != sorted[i - 1].first) continue;
    for (const std::size_t each : {i - 1, i})
      same_stores_.add(sorted[each].first,
                       static_cast<std::uint32_t>(context.warp->number() * kLanes + sorted[each].second));
  }
  const Conflict found{.array = {},
                       .shared = touch.shared,
                       .within = Conflict::Within::warp,
                       .reads = false,
                       .both_write = true};
  const auto kind = different != 0 ? CauseKind::same_word_store : CauseKind::same_value_store;
  report(
      kind, context, touch, 0, false, found,
      [&](const MemoryName& name) {
        return fmt::format("{} and {} of {} store to {} in one instruction (line {}{})",
                           block_.thread_name(*context.warp, sorted[at - 1].second),
                           block_.thread_name(*context.warp, sorted[at].second), block_.block_name(),
                           name.element, block_.location(touch.instruction).line,
                           block_.callers(block_.location(touch.instruction), context.warp));
      },
      sorted[at].first);
}

namespace {

constexpr std::string_view kUnsetConstant =
    ", which nothing has set: it is still 0; copy all elements by cudaMemcpyToSymbolAsync before the launch";

}  // namespace

void BlockShadow::report_uninitialised(const Context& context, const Touch& touch, unsigned lane) {
  const std::string callers = block_.callers(block_.location(touch.instruction), context.warp);
  const Address address = touch.addresses[lane];
  const std::uint32_t undefined = touch.shared ? 0 : undefined_bytes(touch, lane);
  const AllocationView* below = touch.shared ? nullptr : allocation_below(block_.launch(), address);
  const bool constant = below != nullptr && below->allocation.constant;
  report(
      constant ? CauseKind::unset_constant : CauseKind::uninitialised_read, context, touch, 0, false,
      std::nullopt,
      [&](const MemoryName& name, Finding& finding) {
        finding.warp_access = seen_by(context, touch, lane);
        return fmt::format("{} of {} {} {}{}{}", block_.thread_name(*context.warp, lane), block_.block_name(),
                           verb(touch), name.element, callers,
                           constant ? std::string(kUnsetConstant) : why_undefined(touch, lane, undefined));
      },
      address, callers);
}

void BlockShadow::look_for_copies(const Context& context, const Touch& touch) {
  for (std::uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const AsyncCopies::Copy* copy = copies_.at(touch.addresses[lane], touch.width);
    if (copy == nullptr) continue;
    const bool own = copy->thread == context.warp->number() * kLanes + lane;
    report(
        CauseKind::race, context, touch, copy->site, false, std::nullopt,
        [&](const MemoryName& name) {
          return fmt::format(
              "{} of {} {} {}, to which an asynchronous copy of {} may still write: a copy has ended when "
              "the "
              "thread that made it has waited for it (cp.async.wait_group, __pipeline_wait_prior, "
              "consumer_wait){}",
              block_.thread_name(*context.warp, lane), block_.block_name(), verb(touch), name.element,
              own ? "this thread" : "another thread",
              own ? "" : "; then let all threads of the block meet at a barrier");
        },
        touch.addresses[lane]);
    return;
  }
}

void BlockShadow::report_write(const Context& context, const Touch& touch) {
  const GlobalShadow::Range& range = launch_.global.reported_writes;
  for (std::uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::size_t place = touch.place(lane);
    if (place + touch.width <= range.offset || place >= range.offset + range.bytes) continue;
    const std::string callers = block_.callers(block_.location(touch.instruction), context.warp);
    report(
        CauseKind::uninitialised_read, context, touch, 0, false, std::nullopt,
        [&](const MemoryName& name, Finding& finding) {
          finding.accesses = {{block_.thread_name(*context.warp, lane), name.element, 0, true}};
          finding.warp_access = seen_by(context, touch, lane);
          return "writes " + name.element;
        },
        touch.addresses[lane], callers);
    return;
  }
}

template <class Message>
void BlockShadow::report(CauseKind kind, const Context& context, const Touch& touch, std::uint32_t other_site,
                         bool other_first, std::optional<Conflict> conflict, Message message, Address address,
                         std::string callers) {
  const bool both_write = !other_first && touch.access != Access::read;
  const std::size_t warp = context.warp->number();
  const auto [known, is_new] = reported_.try_emplace(
      {kind, touch.instruction.location, other_site, both_write}, Reported{warp, address});
  if (!is_new) {
    Reported& first = known->second;
    const bool second_warp = !first.all_warps && first.warp != warp;
    const bool second_element = !first.elements && first.address != address;
    if (!conflict || (!second_warp && !second_element)) return;
    first.all_warps = first.all_warps || second_warp;
    first.elements = first.elements || second_element;
    conflict->all_warps = first.all_warps;
    conflict->elements = first.elements;
  }
  const MemoryName name = name_of_word(touch, address);
  Finding finding{.kind = kind,
                  .kernel = block_.launch().kernel.display_name,
                  .file = {},
                  .line = 0,
                  .other_line = 0,
                  .message = {}};
  if constexpr (std::is_invocable_v<Message, const MemoryName&, Finding&>) {
    finding.message = message(name, finding);
  } else {
    finding.message = message(name);
  }
  const Program& program = block_.launch().program;
  const ptx::Location& mine = block_.location(touch.instruction);
  const ptx::Location other =
      other_site == 0 ? ptx::Location{} : program.locations[program.sites[other_site].location];
  const std::uint32_t kernels_file =
      program.locations[program.code[block_.launch().kernel.begin].location].file;
  const bool other_is_main = other.file == mine.file ? other.line > mine.line : other.file == kernels_file;
  const bool swap = other_site != 0 && (other_first || (both_write && other_is_main));
  block_.set_source(finding, swap ? other : mine);
  finding.callers = std::move(callers);
  if (other_site != 0) {
    finding.other_line =
        static_cast<int>(swap ? line_in(other.file, context.warp, mine) : line_in(mine.file, nullptr, other));
  }
  if (conflict) conflict->array = name.array;
  block_.launch().log.add(std::move(finding), block_.position(), std::move(conflict));
}

}  // namespace warpmark::simulator
