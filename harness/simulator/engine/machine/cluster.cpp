#include "harness/simulator/engine/machine/cluster.h"

#include <bit>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/memory_names.h"
#include "harness/simulator/ptx/atomic_detail.h"

namespace warpmark::simulator {
namespace {

constexpr unsigned kClusterWord = 4;

std::string_view does(Access access) {
  if (access == Access::read) return "reads";
  return access == Access::write ? "writes" : "updates";
}

}  // namespace

void Cluster::begin(std::vector<Block*> blocks) {
  blocks_ = std::move(blocks);
  first_epoch_ = ++epoch_;
  reached_.assign(blocks_.size(), {});
  ended_at_.assign(blocks_.size(), 0);
  if (!launch_.check_accesses) return;
  words_.resize(blocks_.size());
  for (std::vector<Word>& words : words_)
    words.assign((launch_.shared_bytes + kClusterWord - 1) / kClusterWord, {});
}

void Cluster::touched(const Context& context, const Touch& touch, unsigned by, unsigned of) {
  if (words_.empty()) return;
  const bool remote = by != of;
  if (remote) {
    if (epoch_ == first_epoch_) report_not_begun(context, touch, by, of);
    reached_[of] = {epoch_, touch.instruction.location, static_cast<std::uint8_t>(by),
                    reached_[of].told_begin};
  }
  for (std::uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Address begin = touch.addresses[lane];
    Last mine{.epoch = epoch_,
              .thread = static_cast<std::uint32_t>(context.warp->number() * kLanes + lane),
              .location = touch.instruction.location,
              .rank = static_cast<std::uint8_t>(by),
              .atomic = touch.access == Access::atomic};
    bool unset = false;
    for (Address at = begin; at < begin + touch.width; at = at / kClusterWord * kClusterWord + kClusterWord) {
      const auto first = static_cast<unsigned>(at % kClusterWord);
      const auto count =
          static_cast<unsigned>(std::min<Address>(kClusterWord - first, begin + touch.width - at));
      mine.bytes = static_cast<std::uint8_t>(((1U << count) - 1) << first);
      Word& word = words_[of][at / kClusterWord];
      const bool needs_value =
          touch.access == Access::read || (mine.atomic && (touch.instruction.detail & kExchanges) == 0);
      unset = unset || (needs_value && (mine.bytes & ~word.set) != 0);
      touch_word(context, touch, lane, word, mine, of);
    }
    if (unset && remote) report_unset(context, touch, lane, by, of);
    if (remote && touch.access != Access::read)
      blocks_[of]->set_from_outside(touch.addresses[lane], touch.width);
  }
}

void Cluster::touch_word(const Context& context, const Touch& touch, unsigned lane, Word& word,
                         const Last& mine, unsigned of) {
  const auto meets = [&](const Last& old) {
    return old.epoch == epoch_ && old.rank != mine.rank && (old.bytes & mine.bytes) != 0 &&
           !(old.atomic && mine.atomic);
  };
  if (meets(word.writer)) report_race(context, touch, lane, mine, word.writer, true, of);
  if (touch.access == Access::read) {
    const bool again = word.readers[0].epoch != epoch_ || word.readers[0].rank == mine.rank;
    word.readers[again ? 0 : 1] = mine;
    return;
  }
  for (const Last& reader : word.readers) {
    if (meets(reader)) report_race(context, touch, lane, mine, reader, false, of);
  }
  word.writer = mine;
  word.set |= mine.bytes;
}

std::string Cluster::name_of(const Last& who) const {
  const Block& block = *blocks_[who.rank];
  return fmt::format("{} of {}", block.thread_name(who.thread), block.block_name());
}

void Cluster::add(CauseKind kind, std::uint32_t location, int other_line, std::string message) {
  Finding finding{.kind = kind,
                  .kernel = launch_.kernel.display_name,
                  .file = {},
                  .line = 0,
                  .other_line = other_line,
                  .message = std::move(message)};
  blocks_.front()->set_source(finding, launch_.program.locations[location]);
  launch_.log.add(std::move(finding), blocks_.front()->position());
}

void Cluster::report_race(const Context& /*context*/, const Touch& touch, unsigned lane, const Last& mine,
                          const Last& old, bool wrote, unsigned of) {
  const MemoryName name =
      name_of_shared(launch_, static_cast<std::int64_t>(touch.addresses[lane]), touch.width);
  const int other_line = static_cast<int>(launch_.program.locations[old.location].line);
  add(CauseKind::race, mine.location, other_line,
      fmt::format("{} {} {} of {}, which {} {} (line {}) with no barrier of the cluster in between, so that "
                  "nothing orders the two: call cluster.sync() between them",
                  name_of(mine), does(touch.access), name.element, blocks_[of]->block_name(), name_of(old),
                  wrote ? "writes" : "reads", other_line));
}

void Cluster::report_unset(const Context& context, const Touch& touch, unsigned lane, unsigned by,
                           unsigned of) {
  const MemoryName name =
      name_of_shared(launch_, static_cast<std::int64_t>(touch.addresses[lane]), touch.width);
  add(CauseKind::uninitialised_read, touch.instruction.location, 0,
      fmt::format("{} of {} reads {} of {}, which is uninitialised: the blocks of a cluster share no values "
                  "but those that one of them has stored",
                  blocks_[by]->thread_name(*context.warp, lane), blocks_[by]->block_name(), name.element,
                  blocks_[of]->block_name()));
}

void Cluster::report_not_begun(const Context& context, const Touch& touch, unsigned by, unsigned of) {
  if (std::exchange(reached_[of].told_begin, true)) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(touch.mask));
  add(CauseKind::race, touch.instruction.location, 0,
      fmt::format("{} of {} {} the shared memory of {}, which may not have begun: call cluster.sync() before "
                  "the first access to another block's memory",
                  blocks_[by]->thread_name(*context.warp, lane), blocks_[by]->block_name(),
                  does(touch.access), blocks_[of]->block_name()));
}

void Cluster::finish() {
  for (unsigned rank = 0; rank < reached_.size(); ++rank) {
    const Reached& last = reached_[rank];
    if (last.epoch == 0 || last.epoch < ended_at_[rank] || last.told_begin) continue;
    add(CauseKind::use_after_free, last.location, 0,
        fmt::format("{} reaches the shared memory of {}, which does not wait for it and may have ended: a "
                    "block's memory goes with the block, so call cluster.sync() behind the last access",
                    blocks_[last.by]->block_name(), blocks_[rank]->block_name()));
  }
}

}  // namespace warpmark::simulator
