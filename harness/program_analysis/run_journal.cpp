#include "harness/program_analysis/run_journal.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "harness/base/text.h"
#include "harness/wire/codec.h"

namespace warpmark::program_analysis {
namespace {

template <class T>
void append(std::vector<T>& all, std::vector<T>& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

class Taker {
 public:
  explicit Taker(RunJournal& journal) : journal_(journal) {}

  void operator()(wire::Running& running) const { journal_.running = std::move(running.launch); }
  void operator()(wire::Finding& finding) const { journal_.findings.push_back(std::move(finding)); }
  void operator()(wire::Frames& where) const {
    if (!journal_.findings.empty()) journal_.findings.back().frames = std::move(where.frames);
  }
  // A simulated program never starts MPI ranks, so none can fail.
  void operator()(wire::RanksFailure& /*failure*/) const {}
  void operator()(wire::Observation& seen) const {
    // The device process reports a kernel launch when it has completed, so a report means that no launch is
    // running any more.
    if (!seen.launches.empty()) journal_.running.reset();
    append(journal_.launches, seen.launches);
    append(journal_.transfers, seen.transfers);
    append(journal_.findings, seen.findings);
    for (wire::Note& note : seen.notes) {
      if (std::ranges::find(journal_.notes, note.message) == journal_.notes.end())
        journal_.notes.push_back(std::move(note.message));
    }
  }

 private:
  RunJournal& journal_;
};

// Cache of decoded journal lines: each launch writes two lines, and most of them repeat.
class KnownLines {
 public:
  std::optional<wire::JournalLine> decode(std::string_view text) {
    for (const Known& each : known_) {
      if (each.text == text) return each.line;
    }
    Known& oldest = known_[next_++ % known_.size()];
    auto decoded = wire::decode_journal_line(text);
    oldest = {text, decoded ? std::optional(std::move(*decoded)) : std::nullopt};
    return oldest.line;
  }

 private:
  struct Known {
    std::string_view text;
    std::optional<wire::JournalLine> line;
  };
  std::array<Known, 4> known_;
  std::size_t next_ = 0;
};

}  // namespace

bool has_line(std::string_view text, std::string_view line) {
  while (!text.empty()) {
    if (take_line(text) == line) return true;
  }
  return false;
}

RunJournal parse_run_journal(std::string_view text) {
  RunJournal journal;
  KnownLines known;
  while (!text.empty()) {
    if (auto line = known.decode(take_line(text))) std::visit(Taker(journal), *line);
  }
  return journal;
}

}  // namespace warpmark::program_analysis
