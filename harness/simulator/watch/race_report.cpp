// From two touches of one word to a finding, in the student's words.
#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "harness/simulator/machine/block.h"
#include "harness/simulator/machine/faults.h"
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

bool is_strong(const Touch& touch) {
  return touch.access == Access::atomic || touch.instruction.strong;
}

}  // namespace

// Nothing when the older access is over, or cannot conflict.
std::optional<Finding::Kind> BlockShadow::conflict(const Context& context, const Touch& touch, unsigned lane,
                                                   const Toucher& old) {
  if (touch.access == Access::atomic && old.atomic) return std::nullopt;
  const std::size_t warp = context.warp->number();
  const auto me = static_cast<std::uint32_t>(warp * kLanes + lane);
  // In shared memory volatile alone is no excuse, unless the writer fences: then it is a flag.
  const bool excused = old.strong && is_strong(touch) &&
                       (!touch.shared || has_fenced(touch.access == Access::read ? old.thread : me));
  auto kind = Finding::Kind::race;
  if (old.own_block && old.readers != Readers::of_several_blocks) {
    if (old.clock < barrier_) return std::nullopt;
    if (old.readers == Readers::one && old.thread == me) return std::nullopt;
    if (old.thread / kLanes == warp && old.readers != Readers::of_a_block) {
      if (old.clock < synced(warp, lane)) return std::nullopt;
      kind = Finding::Kind::warp_synchronous;
    } else if (excused) {
      return std::nullopt;
    }
  } else if (excused) {
    return std::nullopt;
  }
  if (published(warp, old)) return std::nullopt;
  return kind;
}

void BlockShadow::judge(const Context& context, const Touch& touch, unsigned lane, const Toucher& old) {
  const auto kind = conflict(context, touch, lane, old);
  if (!kind) return;
  // The reader's line comes first, so that the finding does not depend on the order of the accesses.
  const bool other_first = touch.access != Access::read && !old.wrote;
  // Of several readers the cell may name the writer itself: then the others' line is not known.
  const bool unnamed = old.own_block && old.thread == context.warp->number() * kLanes + lane;
  const std::uint32_t other_site = unnamed ? 0 : old.site;
  report(*kind, touch, other_site, other_first, [&] {
    std::string other = "other threads read";
    if (!unnamed) {
      other = block_.thread_name(old.thread);
      if (old.readers != Readers::one) other += " among others";
      if (!old.own_block) other += " of " + block_.block_name(old.block);
      other += fmt::format(" {}", verb(old));
    }
    const Program& program = block_.launch().program;
    if (other_site != 0)
      other += fmt::format(" (line {})", program.locations[program.sites[other_site]].line);
    const char* remedy = "put a __syncthreads() between them";
    if (*kind == Finding::Kind::warp_synchronous) {
      remedy = "the lanes of a warp need not run in step, volatile or not: put a __syncwarp() between them";
    } else if (!old.own_block || old.readers == Readers::of_several_blocks) {
      remedy =
          "blocks run in any order and at the same time: use atomic operations, another launch, or a "
          "__threadfence() before an atomic operation that the other block reads";
    }
    return fmt::format("{} of {} {} {} (line {}), which {}, and nothing orders the two: {}",
                       block_.thread_name(*context.warp, lane), block_.block_name(), verb(touch),
                       name_of_word(touch, touch.addresses[lane]), block_.location(touch.instruction).line,
                       other, remedy);
  });
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
  for (std::size_t i = 1; i < count; ++i) {
    if (sorted[i].first != sorted[i - 1].first) continue;
    report(Finding::Kind::same_word_store, touch, 0, false, [&] {
      return fmt::format(
          "{} and {} of {} store to {} in one instruction, and which value stays is not defined: let one "
          "thread "
          "store, or use an atomic operation",
          block_.thread_name(*context.warp, sorted[i - 1].second),
          block_.thread_name(*context.warp, sorted[i].second), block_.block_name(),
          name_of_word(touch, sorted[i].first));
    });
    return;
  }
}

void BlockShadow::report_uninitialised(const Context& context, const Touch& touch, unsigned lane) {
  report(Finding::Kind::uninitialised_read, touch, 0, false, [&] {
    return fmt::format("{} of {} {} {}, which is uninitialised{}", block_.thread_name(*context.warp, lane),
                       block_.block_name(), verb(touch), name_of_word(touch, touch.addresses[lane]),
                       touch.shared ? ": a block's shared memory begins undefined, so set every element first"
                                    : ": memory from cudaMalloc begins undefined, so fill it by cudaMemset, "
                                      "cudaMemcpy or a kernel first");
  });
}

void BlockShadow::report_past_an_array(const Context& context, const Touch& touch, unsigned lane) {
  block_.stop(Finding::Kind::out_of_bounds, &touch.instruction,
              fmt::format("{} of {} {} {}: test the index against the size before the access",
                          block_.thread_name(*context.warp, lane), block_.block_name(), verb(touch),
                          name_of_word(touch, touch.addresses[lane])));
}

template <class Message>
void BlockShadow::report(Finding::Kind kind, const Touch& touch, std::uint32_t other_site, bool other_first,
                         Message message) {
  if (!reported_.insert({kind, touch.instruction.location, other_site}).second) return;
  Finding finding{.kind = kind,
                  .kernel = block_.launch().kernel.display_name,
                  .file = {},
                  .line = 0,
                  .other_line = 0,
                  .message = message()};
  const Program& program = block_.launch().program;
  const ptx::Location& mine = block_.location(touch.instruction);
  const ptx::Location other =
      other_site == 0 ? ptx::Location{} : program.locations[program.sites[other_site]];
  const bool both_write = !other_first && touch.access != Access::read;
  const bool swap = other_site != 0 && (other_first || (both_write && other.line > mine.line));
  block_.set_source(finding, swap ? other : mine);
  finding.other_line = static_cast<int>(swap ? mine.line : other.line);
  block_.launch().log.add(std::move(finding), block_.position());
}

std::string BlockShadow::name_of_word(const Touch& touch, Address address) const {
  if (touch.shared) return name_of_shared(block_.launch(), static_cast<std::int64_t>(address), touch.width);
  return name_of_global(block_.launch(), address, touch.width);
}

}  // namespace warpmark::simulator
