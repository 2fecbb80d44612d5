// Warp-wide collectives: shuffles, votes, __syncwarp(). Each waits until all lanes of its member mask have
// arrived or exited; the lanes may arrive from different source lines.
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/control_operations.h"
#include "harness/simulator/engine/machine/injected_faults.h"
#include "harness/simulator/engine/machine/warp.h"

namespace warpmark::simulator {
namespace {

// Result of a shuffle that reads from an inactive lane. CUDA leaves the value undefined; an implausible one
// makes the mistake visible.
constexpr std::uint32_t kUndefined = 0x01010101U * kUndefinedByte;

bool has(std::uint32_t mask, unsigned lane) {
  return (mask >> lane & 1) != 0;
}

// Formats a lane mask, e.g. "lanes 0-15, 17" or "no lane".
std::string lanes_in_words(std::uint32_t mask) {
  std::string ranges;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!has(mask, lane)) continue;
    const unsigned first = lane;
    while (lane + 1 < kLanes && has(mask, lane + 1)) ++lane;
    ranges += fmt::format("{}{}", ranges.empty() ? "" : ", ", first);
    if (lane != first) ranges += fmt::format("-{}", lane);
  }
  return ranges.empty() ? "no lane" : "lanes " + ranges;
}

struct Shuffle {
  std::uint32_t source;
  bool in_range;
};
// Returns the source lane of shfl.sync (PTX ISA). Operand b is the lane offset or index; c holds the clamp
// value in bits 0 to 4 and the segment mask in bits 8 to 12.
template <Collective kHow>
Shuffle shuffle_source(std::uint32_t lane, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t segment = c >> 8 & 0x1F;
  const std::uint32_t clamp = c & 0x1F;
  const auto last = static_cast<std::int32_t>((lane & segment) | (clamp & ~segment));
  const std::uint32_t step = b & 0x1F;
  std::uint32_t source = (lane & segment) | (step & ~segment);
  if constexpr (kHow == Collective::shuffle_up) source = lane - step;
  if constexpr (kHow == Collective::shuffle_down) source = lane + step;
  if constexpr (kHow == Collective::shuffle_butterfly) source = lane ^ step;
  const auto signed_source = static_cast<std::int32_t>(source);
  const bool in_range = kHow == Collective::shuffle_up ? signed_source >= last : signed_source <= last;
  return {in_range ? source : lane, in_range};
}

std::uint32_t combine(Collective how, std::uint32_t a, std::uint32_t b) {
  const auto signed_less = static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  switch (how) {
    case Collective::add:
      return a + b;
    case Collective::min_signed:
      return signed_less ? a : b;
    case Collective::max_signed:
      return signed_less ? b : a;
    case Collective::min_unsigned:
      return std::min(a, b);
    case Collective::max_unsigned:
      return std::max(a, b);
    case Collective::bit_and:
      return a & b;
    case Collective::bit_or:
      return a | b;
    default:
      return a ^ b;
  }
}

bool is_vote(Collective how) {
  return how >= Collective::vote_any && how <= Collective::vote_ballot;
}

bool is_shuffle(Collective how) {
  return how >= Collective::shuffle_index && how <= Collective::shuffle_butterfly;
}

// True for the reductions over a warp (redux).
bool is_reduction(Collective how) {
  return how >= Collective::add && how <= Collective::bit_xor;
}

// Inputs that the participating lanes contribute to a warp collective (shuffle, vote, ...).
struct Exchange {
  std::array<std::uint32_t, kLanes> values{};
  std::uint32_t holds = 0;  // mask of the lanes whose predicate is true
  std::uint32_t lanes = 0;
};

std::uint32_t vote(Collective how, const Exchange& all) {
  switch (how) {
    case Collective::vote_any:
      return all.holds != 0 ? kAllLanes : 0;
    case Collective::vote_all:
      return all.holds == all.lanes ? kAllLanes : 0;
    default:
      return all.holds == all.lanes || all.holds == 0 ? kAllLanes : 0;
  }
}

std::uint32_t result_for(Collective how, const Exchange& all, unsigned lane) {
  switch (how) {
    case Collective::vote_ballot:
      return all.holds;
    case Collective::match_any: {
      std::uint32_t equal = 0;
      for (unsigned other = 0; other < kLanes; ++other) {
        if (has(all.lanes, other) && all.values[other] == all.values[lane]) equal |= 1U << other;
      }
      return equal;
    }
    default:
      break;
  }
  std::uint32_t sum = 0;
  bool first = true;
  for (unsigned other = 0; other < kLanes; ++other) {
    if (!has(all.lanes, other)) continue;
    sum = first ? all.values[other] : combine(how, sum, all.values[other]);
    first = false;
  }
  return sum;
}

void write_predicate(const LaneValues& c, Operand operand, std::uint32_t value) {
  if (operand == kNoOperand) return;
  auto* d = c.write<std::uint32_t>(operand);
  *d = (*d & ~c.mask) | (value & c.mask);
}

void write_lanes(const LaneValues& c, Operand operand, const std::array<std::uint32_t, kLanes>& values) {
  if (operand == kNoOperand) return;
  auto* d = c.write<std::uint32_t>(operand);
  for (unsigned lane = 0; lane < kLanes; ++lane) d[lane] = has(c.mask, lane) ? values[lane] : d[lane];
}

Shuffle shuffle_source(Collective how, std::uint32_t lane, std::uint32_t b, std::uint32_t c) {
  switch (how) {
    case Collective::shuffle_up:
      return shuffle_source<Collective::shuffle_up>(lane, b, c);
    case Collective::shuffle_down:
      return shuffle_source<Collective::shuffle_down>(lane, b, c);
    case Collective::shuffle_butterfly:
      return shuffle_source<Collective::shuffle_butterfly>(lane, b, c);
    default:
      return shuffle_source<Collective::shuffle_index>(lane, b, c);
  }
}

// Returns the first lane of a shuffle that would read from an exited lane, and that exited lane; nullopt if
// there is none.
std::optional<std::pair<unsigned, unsigned>> taken_from_gone(const LaneValues& c, const Instruction& i,
                                                             std::uint32_t gone) {
  const auto* step = c.read<std::uint32_t>(i.operands[2]);
  const auto* clamp = c.read<std::uint32_t>(i.operands[3]);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const auto how = static_cast<Collective>(i.detail);
    const std::uint32_t source = shuffle_source(how, lane, step[lane], clamp[lane]).source & 31;
    if (has(c.mask, lane) && has(gone, source)) return std::pair(lane, unsigned{source});
  }
  return std::nullopt;
}

template <Collective kHow>
void give_shuffled(const LaneValues& c, const Instruction& i, const Exchange& all) {
  const auto* step = c.read<std::uint32_t>(i.operands[2]);
  const auto* clamp = c.read<std::uint32_t>(i.operands[3]);
  std::array<std::uint32_t, kLanes> results;
  std::uint32_t in_range = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Shuffle from = shuffle_source<kHow>(lane, step[lane], clamp[lane]);
    in_range |= std::uint32_t{from.in_range} << lane;
    results[lane] = has(all.lanes, from.source & 31) ? all.values[from.source & 31] : kUndefined;
  }
  write_lanes(c, i.operands[0], results);
  write_predicate(c, i.operands[kPredicateOperand], in_range);
}

void give(const LaneValues& c, const Instruction& i, Collective how, const Exchange& all) {
  switch (how) {
    case Collective::barrier:
      return;
    case Collective::shuffle_index:
      return give_shuffled<Collective::shuffle_index>(c, i, all);
    case Collective::shuffle_up:
      return give_shuffled<Collective::shuffle_up>(c, i, all);
    case Collective::shuffle_down:
      return give_shuffled<Collective::shuffle_down>(c, i, all);
    case Collective::shuffle_butterfly:
      return give_shuffled<Collective::shuffle_butterfly>(c, i, all);
    default:
      break;
  }
  if (is_vote(how) && how != Collective::vote_ballot)
    return write_predicate(c, i.operands[0], vote(how, all));
  std::array<std::uint32_t, kLanes> results;
  results.fill(result_for(how, all, static_cast<unsigned>(std::countr_zero(c.mask))));
  if (how == Collective::match_any) {
    for (unsigned lane = 0; lane < kLanes; ++lane) results[lane] = result_for(how, all, lane);
  }
  write_lanes(c, i.operands[0], results);
}

}  // namespace

void Warp::collective(std::size_t index, const Instruction& instruction) {
  Split& split = splits_[index];
  const auto* members = context_.read<std::uint32_t>(instruction.operands[kAddressOperand]);
  const std::uint32_t first = members[std::countr_zero(split.mask)];
  // Warp collective whose active lanes have different member masks (e.g. tiles of a warp): each mask is a
  // collective of its own, so the lanes diverge and every group re-executes the instruction.
  std::uint32_t different = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) different |= members[lane] != first ? 1U << lane : 0;
  if ((different & split.mask) != 0)
    return divide(index, groups_by(members, split.mask, split.pc - 1), split.pc);

  split.members = first;
  split.instruction = &instruction;
  if (const std::uint32_t strangers = split.mask & ~first; strangers != 0) {
    const auto lane = static_cast<unsigned>(std::countr_zero(strangers));
    block_->stop(
        CauseKind::deadlock, &instruction,
        fmt::format("{} lanes ({}, {}) use a mask that names {}, not them; name every lane that gets here",
                    std::popcount(strangers), block_->block_name(), block_->thread_name(*this, lane),
                    lanes_in_words(first)));
    return;
  }
  if ((first & live_ & ~split.mask) == 0) return perform(std::span(&index, 1));
  split.state = State::at_collective;
  try_collective(index);
}

// Performs the warp collective at which a group of lanes waits, and returns true, if all lanes of its
// member mask have arrived or exited; else returns false.
bool Warp::try_collective(std::size_t index) {
  const Split& split = splits_[index];
  std::vector<std::size_t> group;
  std::uint32_t there = 0;
  for (std::size_t other = 0; other < splits_.size(); ++other) {
    const Split& candidate = splits_[other];
    if (candidate.state != State::at_collective || candidate.members != split.members ||
        candidate.instruction->detail != split.instruction->detail) {
      continue;
    }
    there |= candidate.mask;
    group.push_back(other);
  }
  if ((split.members & live_ & ~there) != 0) return false;
  perform(group);
  for (const std::size_t member : group) splits_[member].state = State::ready;
  return true;
}

void Warp::recheck_collectives() {
  for (std::size_t index = 0; index < splits_.size(); ++index) {
    if (splits_[index].state == State::at_collective) try_collective(index);
  }
}

// Reports a shuffle that reads from an exited lane: the member mask names that lane, but it cannot
// participate, so the value is undefined.
void Warp::note_gone_lanes(std::span<const std::size_t> group, std::uint32_t gone) {
  LaunchState& launch = block_->launch();
  const Split& split = splits_[group.front()];
  if (noted_gone_.contains(split.instruction)) return;
  const auto taken = taken_from_gone(view(split), *split.instruction, gone);
  if (!taken || !launch.check_accesses) return;
  noted_gone_.insert(split.instruction);
  const ptx::Location& at = block_->location(*split.instruction);
  Finding finding{
      .kind = CauseKind::uninitialised_read,
      .kernel = launch.kernel.display_name,
      .file = {},
      .line = 0,
      .other_line = 0,
      .message = fmt::format("{} of {} takes a value from lane {} of its warp{}, and that lane is gone: it "
                             "returned, or went past this call to the end of the kernel. The value is "
                             "undefined. The mask names {}, of which {} {} gone: let all of them make this "
                             "call, with a 0 to add",
                             block_->thread_name(*this, taken->first), block_->block_name(), taken->second,
                             block_->callers(at, this, &split), lanes_in_words(split.members),
                             lanes_in_words(gone), std::popcount(gone) == 1 ? "is" : "are")};
  block_->set_source(finding, at);
  launch.log.add(std::move(finding), block_->position());
}

void Warp::perform(std::span<const std::size_t> group) {
  Exchange all;
  const Instruction& first = *splits_[group.front()].instruction;
  const auto how = static_cast<Collective>(first.detail);
  if (context_.observer != nullptr && (is_shuffle(how) || is_reduction(how)))
    context_.observer->shuffled(first);
  for (const std::size_t index : group) {
    const Split& split = splits_[index];
    const Instruction& i = *split.instruction;
    const auto how = static_cast<Collective>(i.detail);
    const LaneValues c = view(split);
    all.lanes |= split.mask;
    if (is_vote(how)) {
      const std::uint32_t holds = *c.read<std::uint32_t>(i.operands[1]) ^ (i.offset != 0 ? kAllLanes : 0);
      all.holds |= holds & split.mask;
    } else if (how != Collective::barrier) {
      const auto* values = c.read<std::uint32_t>(i.operands[1]);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        all.values[lane] = has(split.mask, lane) ? values[lane] : all.values[lane];
      }
    }
  }
  const std::uint32_t gone = splits_[group.front()].members & ~live_;
  if (context_.observer != nullptr) context_.observer->synchronised(number_, all.lanes | gone);
  if (gone != 0 && is_shuffle(static_cast<Collective>(first.detail))) note_gone_lanes(group, gone);
  for (const std::size_t index : group) {
    const Split& split = splits_[index];
    give(view(split), *split.instruction, static_cast<Collective>(split.instruction->detail), all);
  }
  InjectedFaults* faults = block_->launch().faults;
  if (faults == nullptr || !faults->is_chosen(first)) return;
  for (const std::size_t index : group)
    faults->change_result(view(splits_[index]), *splits_[index].instruction);
}

}  // namespace warpmark::simulator
