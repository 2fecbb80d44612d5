#include "harness/simulate/record.h"

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
  explicit Taker(Record& record) : record_(record) {}

  void operator()(wire::Running& running) const { record_.running = std::move(running.launch); }
  void operator()(wire::Finding& finding) const { record_.findings.push_back(std::move(finding)); }
  void operator()(wire::Frames& where) const {
    if (!record_.findings.empty()) record_.findings.back().frames = std::move(where.frames);
  }
  void operator()(wire::Observation& seen) const {
    // What is drained after a launch began shows that it came back.
    if (!seen.launches.empty()) record_.running.reset();
    append(record_.launches, seen.launches);
    append(record_.transfers, seen.transfers);
    append(record_.findings, seen.findings);
    for (wire::Note& note : seen.notes) {
      if (std::ranges::find(record_.notes, note.message) == record_.notes.end())
        record_.notes.push_back(std::move(note.message));
    }
  }

 private:
  Record& record_;
};

}  // namespace

Record parse_record(std::string_view text) {
  Record record;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (auto line = wire::decode_journal_line(text.substr(0, end))) std::visit(Taker(record), *line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return record;
}

}  // namespace warpmark::simulate
