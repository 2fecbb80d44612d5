// What the lanes of a warp do together: shuffles, votes, __syncwarp(). They wait for all lanes that their mask names and
// that have not exited, wherever these are in the code.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "harness/simulator/block.h"
#include "harness/simulator/control_operations.h"
#include "harness/simulator/warp.h"

namespace warpmark::simulator {
namespace {

// What a lane gets that reads a lane which takes no part: undefined, so nothing that may look right.
constexpr std::uint32_t kUndefined = 0xCDCDCDCD;

bool has(std::uint32_t mask, unsigned lane) { return (mask >> lane & 1) != 0; }

struct Shuffle {
  unsigned source;
  bool in_range;
};
// PTX ISA, shfl.sync: c holds the clamp value and the mask of the segment.
Shuffle shuffle_source(Collective how, unsigned lane, std::uint32_t b, std::uint32_t c) {
  const unsigned segment = c >> 8 & 0x1F;
  const unsigned clamp = c & 0x1F;
  const unsigned last = (lane & segment) | (clamp & ~segment);
  const int step = static_cast<int>(b & 0x1F);
  const int own = static_cast<int>(lane);
  int source = own;
  bool in_range = false;
  switch (how) {
    case Collective::shuffle_up:
      source = own - step;
      in_range = source >= static_cast<int>(last);
      break;
    case Collective::shuffle_down:
      source = own + step;
      in_range = source <= static_cast<int>(last);
      break;
    case Collective::shuffle_butterfly:
      source = own ^ step;
      in_range = source <= static_cast<int>(last);
      break;
    default:
      source = static_cast<int>((lane & segment) | (static_cast<unsigned>(step) & ~segment));
      in_range = source <= static_cast<int>(last);
      break;
  }
  return {in_range ? static_cast<unsigned>(source) : lane, in_range};
}

std::uint32_t combine(Collective how, std::uint32_t a, std::uint32_t b) {
  const auto signed_less = static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  switch (how) {
    case Collective::add: return a + b;
    case Collective::min_signed: return signed_less ? a : b;
    case Collective::max_signed: return signed_less ? b : a;
    case Collective::min_unsigned: return std::min(a, b);
    case Collective::max_unsigned: return std::max(a, b);
    case Collective::bit_and: return a & b;
    case Collective::bit_or: return a | b;
    default: return a ^ b;
  }
}

bool is_vote(Collective how) { return how >= Collective::vote_any && how <= Collective::vote_ballot; }

// What the participating lanes bring along.
struct Exchange {
  std::array<std::uint32_t, kLanes> values{};
  std::uint32_t holds = 0;  // lanes whose predicate is true
  std::uint32_t lanes = 0;
};

std::uint32_t vote(Collective how, const Exchange& all) {
  switch (how) {
    case Collective::vote_any: return all.holds != 0 ? kAllLanes : 0;
    case Collective::vote_all: return all.holds == all.lanes ? kAllLanes : 0;
    default: return all.holds == all.lanes || all.holds == 0 ? kAllLanes : 0;
  }
}

std::uint32_t result_for(Collective how, const Exchange& all, unsigned lane, std::uint32_t source_lane) {
  switch (how) {
    case Collective::vote_ballot: return all.holds;
    case Collective::match_any: {
      std::uint32_t equal = 0;
      for (unsigned other = 0; other < kLanes; ++other) {
        if (has(all.lanes, other) && all.values[other] == all.values[lane]) equal |= 1U << other;
      }
      return equal;
    }
    case Collective::shuffle_index:
    case Collective::shuffle_up:
    case Collective::shuffle_down:
    case Collective::shuffle_butterfly: return has(all.lanes, source_lane) ? all.values[source_lane] : kUndefined;
    default: break;
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

void write_predicate(const Context& c, Operand operand, std::uint32_t value) {
  if (operand == kNoOperand) return;
  auto* d = c.write<std::uint32_t>(operand);
  *d = (*d & ~c.mask) | (value & c.mask);
}

void give(const Context& c, const Instruction& i, Collective how, const Exchange& all) {
  if (how == Collective::barrier) return;
  if (is_vote(how) && how != Collective::vote_ballot) return write_predicate(c, i.operands[0], vote(how, all));
  const bool shuffles = how >= Collective::shuffle_index && how <= Collective::shuffle_butterfly;
  const bool same_for_all = !shuffles && how != Collective::match_any;
  std::array<std::uint32_t, kLanes> results;  // computed first: the destination may be a source
  std::uint32_t in_range = 0;
  const std::uint32_t common = same_for_all ? result_for(how, all, 0, 0) : 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!has(c.mask, lane)) continue;
    Shuffle from{lane, true};
    if (shuffles) {
      from = shuffle_source(how, lane, c.read<std::uint32_t>(i.operands[2])[lane],
                            c.read<std::uint32_t>(i.operands[3])[lane]);
    }
    if (from.in_range) in_range |= 1U << lane;
    results[lane] = same_for_all ? common : result_for(how, all, lane, from.source);
  }
  if (i.operands[0] != kNoOperand) {
    auto* d = c.write<std::uint32_t>(i.operands[0]);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (has(c.mask, lane)) d[lane] = results[lane];
    }
  }
  write_predicate(c, i.operands[kPredicateOperand], in_range);
}

}  // namespace

void Warp::collective(std::size_t index, const Instruction& instruction) {
  Split& split = splits_[index];
  const auto* members = context_.read<std::uint32_t>(instruction.operands[kAddressOperand]);
  std::vector<Group> groups;
  for (std::uint32_t rest = split.mask; rest != 0;) {
    const std::uint32_t wanted = members[std::countr_zero(rest)];
    std::uint32_t same = 0;
    for (std::uint32_t lanes = rest; lanes != 0; lanes &= lanes - 1) {
      if (members[std::countr_zero(lanes)] == wanted) same |= lanes & -lanes;
    }
    rest &= ~same;
    if (rest != 0 || !groups.empty()) groups.push_back({same, split.pc - 1});
  }
  // Different masks, as of tiles of a warp: they part, and each executes the instruction again.
  if (!groups.empty()) return divide(index, groups, split.pc);

  split.members = members[std::countr_zero(split.mask)];
  split.instruction = &instruction;
  if (const std::uint32_t strangers = split.mask & ~split.members; strangers != 0) {
    const auto lane = static_cast<unsigned>(std::countr_zero(strangers));
    block_->stop(Finding::Kind::deadlock, &instruction,
                 fmt::format("{} lanes ({}, {}) use a mask of {:#010x}, which does not name them; name every lane that gets here",
                             std::popcount(strangers), block_->block_name(), block_->thread_name(*this, lane),
                             split.members));
    return;
  }
  split.state = State::at_collective;
  try_collective(index);
}

// Completes the exchange that the split waits for, if all lanes are there.
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

void Warp::perform(const std::vector<std::size_t>& group) {
  Exchange all;
  for (const std::size_t index : group) {
    const Split& split = splits_[index];
    const Instruction& i = *split.instruction;
    const auto how = static_cast<Collective>(i.detail);
    const Context c = view(split);
    all.lanes |= split.mask;
    if (is_vote(how)) {
      const std::uint32_t holds = *c.read<std::uint32_t>(i.operands[1]) ^ (i.offset != 0 ? kAllLanes : 0);
      all.holds |= holds & split.mask;
    } else if (how != Collective::barrier) {
      const auto* values = c.read<std::uint32_t>(i.operands[1]);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (has(split.mask, lane)) all.values[lane] = values[lane];
      }
    }
  }
  for (const std::size_t index : group) {
    const Split& split = splits_[index];
    give(view(split), *split.instruction, static_cast<Collective>(split.instruction->detail), all);
  }
}

}  // namespace warpmark::simulator
