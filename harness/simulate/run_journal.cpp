#include "harness/simulate/run_journal.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/wire/codec.h"

namespace warpmark::simulate {
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
  void operator()(wire::RanksFailure& /*failure*/) const {}  // programs have no ranks of ours
  void operator()(wire::Observation& seen) const {
    // What is drained after a launch began shows that it came back.
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

}  // namespace

RunJournal parse_run_journal(std::string_view text) {
  RunJournal journal;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (auto line = wire::decode_journal_line(text.substr(0, end))) std::visit(Taker(journal), *line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return journal;
}

}  // namespace warpmark::simulate
