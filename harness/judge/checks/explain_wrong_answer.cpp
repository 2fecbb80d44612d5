#include "harness/judge/checks/explain_wrong_answer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/checks/prober.h"
#include "harness/judge/checks/right_change.h"
#include "harness/source_edits/omissions.h"

namespace warpmark::judge {
namespace {

std::string count_of(std::uint64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

// Returns a description of kernel launches, such as "add ran with 160 blocks of 256 threads, 40960 threads in
// all"; empty if no launches are known.
std::string text_of(const std::vector<wire::Launch>& launches) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(launches.size(), kNamed); ++i) {
    const wire::Launch& launch = launches[i];
    const std::uint64_t blocks = wire::volume(launch.grid);
    const std::uint64_t threads = wire::volume(launch.block);
    text += fmt::format("{}{} ran with {} of {}", i == 0 ? "" : ", then ", launch.kernel,
                        count_of(blocks, "block"), count_of(threads, "thread"));
    if (blocks > 1) text += fmt::format(", {} threads in all", blocks * threads);
  }
  if (launches.size() > kNamed) text += fmt::format(", then {} more launches", launches.size() - kNamed);
  return text;
}

void point_to(Cause& cause, const Access& reading, const Blame& blame) {
  cause.file = reading.file;
  cause.line = reading.line;
  cause.excerpt = excerpt_in(blame, reading.file, reading.line);
}

constexpr std::string_view kUnwritten = "unwritten";  // Explanation::mistake

// Smallest input, in elements, of which any correct student code must read at least some elements.
constexpr std::uint64_t kLarger = 1025;

// Describes, for the input elements that a wrong sum omits or counts more than once, whether kernels read
// them, at which source lines, and by how many threads.
class AboutReads {
 public:
  AboutReads(Prober& prober, const Explanation& found, const Assignment& assignment, Cause& cause,
             const Blame& blame)
      : prober_(prober),
        found_(found),
        value_bytes_(assignment.value_bytes(found.which.type)),
        cause_(cause),
        blame_(blame) {}

  std::string text() {
    const auto& [first, last, lost, right] = *found_.elements;
    one_ = first == last;
    const Accesses all = readings(found_.which, 0, found_.which.n - 1);
    const std::string launches = text_of(prober_.launches());
    const std::string by = launches.empty() ? "" : "; " + launches;
    if (all.empty()) return none_is_read() + by;
    const Accesses those = readings(found_.which, first, last);
    if (those.empty()) return never_read(all.front(), "the others") + by;
    if (lost) {
      point_to(cause_, those.front(), blame_);
      return fmt::format(": {} reads {}, but what is done with {} afterwards loses it",
                         text_of(those.front()), them(), them()) +
             by;
    }
    return read_at(those, right ? readings(found_.which, *right, *right) : Accesses()) + by;
  }

 private:
  Accesses readings(const Case& which, std::uint64_t first, std::uint64_t last) {
    return prober_.readings(which, {input_, first * value_bytes_, (last - first + 1) * value_bytes_}, true);
  }
  [[nodiscard]] const char* them() const { return one_ ? "it" : "them"; }

  std::string never_read(const Access& others, std::string_view which) {
    point_to(cause_, others, blame_);
    return fmt::format(": {} never read ({} reads {})", one_ ? "it was" : "they were", text_of(others),
                       which);
  }
  // Explains a wrong sum whose input elements were all left unread: names the source line that reads the
  // elements of a larger input.
  std::string none_is_read() {
    Case larger = found_.which;
    larger.n = std::max(kLarger, found_.which.n);
    const Accesses others = readings(larger, 0, larger.n - 1);
    return others.empty() ? "" : never_read(others.front(), "values of larger inputs");
  }
  // Describes where a kernel reads the wrongly summed elements. `those`: the source lines that read them.
  // Lines also in `usual` read correctly summed elements, too, so the other lines are blamed first.
  std::string read_at(const Accesses& those, const Accesses& usual) {
    Accesses at_fault;
    Accesses rest;
    for (const Access& reading : those) {
      (has_the_place_of(usual, reading) ? rest : at_fault).push_back(reading);
    }
    point_to(cause_, at_fault.empty() ? those.front() : at_fault.front(), blame_);
    if (usual.empty() || at_fault.empty() || rest.empty()) return ", read at " + text_of(those);
    return fmt::format(", read at {} and again at {}", text_of(rest), text_of(at_fault));
  }

  Prober& prober_;
  const Explanation& found_;
  std::size_t value_bytes_;
  std::size_t input_ = 0;  // index of the buffer with the elements: a sum's first
  Cause& cause_;
  const Blame& blame_;
  bool one_ = true;
};

// Parses the second argument of a function call's source text as a number.
std::optional<long> second_argument(std::string_view call) {
  const std::size_t first = call.find(',');
  if (first == std::string_view::npos) return std::nullopt;
  const std::string text(call.substr(first + 1, call.find(',', first + 1) - first - 1));
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 0);
  return end == text.c_str() ? std::nullopt : std::optional(value);
}

// Returns the number of the first source line that calls cudaMemset with the fill value `byte`; 0 if none.
int line_of_memset(const std::string& text, std::uint8_t byte) {
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    const std::size_t call = line.substr(0, line.find("//")).find("cudaMemset");
    if (call != std::string_view::npos) {
      const auto value = second_argument(line.substr(call));
      if (value && static_cast<std::uint8_t>(*value) == byte) return number;
    }
    at = end + 1;
  }
  return 0;
}

// Returns true if a line of the submission's own files accessed memory, rather than one of a library.
bool is_of_the_submission(const Access& access, const Blame& blame) {
  return !excerpt_in(blame, access.file, access.line).empty();
}

Accesses of_the_submission(Accesses accesses, const Blame& blame) {
  std::erase_if(accesses, [&](const Access& access) { return !is_of_the_submission(access, blame); });
  return accesses;
}

// Points a cause to the line that loads the input or stores the output at fault. Returns what a message adds.
std::string place(Prober& prober, const Explanation& found, Cause& cause, const Blame& blame) {
  if (!prober.looks_at_accesses()) return {};
  Accesses reads;
  Accesses writes;
  if (found.read) reads = of_the_submission(prober.readings(found.which, *found.read, false), blame);
  if (found.written) writes = of_the_submission(prober.writings(found.which, *found.written), blame);
  // Of an input that nothing loads, the line that loads others of its buffer.
  const bool others = found.read && reads.empty();
  if (others) {
    const Explanation::Bytes all{found.read->buffer, 0, prober.bytes_of(found.which, found.read->buffer)};
    reads = of_the_submission(prober.readings(found.which, all, false), blame);
  }
  if (reads.empty() && writes.empty()) return {};
  const bool store = reads.empty() || (found.store_at_fault && !writes.empty());
  // Of several stores the last one decides.
  point_to(cause, store ? writes.back() : reads.front(), blame);
  std::string text;
  if (!reads.empty())
    text += fmt::format(". {} at {}", others ? "Others are loaded" : "Loaded", text_of(reads));
  if (!writes.empty())
    text += fmt::format("{} at {}", text.empty() ? ". Stored" : ", stored", text_of(writes));
  return text;
}

// Names the place at which the source lacks the statement that writes an output that stayed unwritten.
void name_omission(Cause& cause, const Assignment& assignment, const Case& which, const Blame& blame) {
  if (blame.file == nullptr || cause.line != 0) return;
  const std::string& text = blame.file->text;
  const auto specs = assignment.make(which)->buffers();
  std::vector<std::string> outputs;
  for (const std::size_t answer : answer_buffers(specs)) outputs.push_back(specs[answer].name);
  auto found = source_edits::find_omission(text, outputs);
  if (!found && which.n == 0) {
    if (const int line = source_edits::line_of_early_return(text); line != 0)
      found = {line, "with no elements the function returns there, before the output is written"};
  }
  if (!found) return;
  cause.message +=
      fmt::format("; line {}: {}. The statement that writes it was left out", found->line, found->what);
  point_to(cause, {blame.file->name, found->line, {}}, blame);
}

// Returns the lines of the file in which a mistake shows: those that the cause names, and those of loads and
// stores in its text, "stored at line 44".
std::vector<int> lines_seen(const Cause& cause, const std::string& file) {
  constexpr std::string_view kLine = "line ";
  std::vector<int> lines = lines_named_by(cause, file);
  for (std::size_t at = cause.message.find(kLine); at != std::string::npos;
       at = cause.message.find(kLine, at + 1)) {
    if (const int line = std::atoi(cause.message.c_str() + at + kLine.size()); line > 0)
      lines.push_back(line);
  }
  return lines;
}

// Describes the kernel launches of a call with this input; empty if none are known.
std::string launches_at(const Case& which, Prober& prober) {
  return prober.call_regularly(which) ? text_of(prober.launches()) : std::string();
}

std::optional<Cause> explained(TriedVersion& version, const Assignment& assignment, const Case& which,
                               const Cause& cause, const Blame& blame, const ExperimentLimits& limits) {
  Prober prober(version, assignment, limits);
  const bool tried = prober.call_regularly(which);
  const Size size = which.sizes();
  const bool empty = std::ranges::find(size.parts, 0U) != size.parts.end();
  const bool no_kernel = tried && prober.records_launches() && prober.kernels() == 0 && which.n > 0 && !empty;
  Cause better = cause;
  if (no_kernel) {
    better.message += ": no kernel was launched";
    name_omission(better, assignment, which, blame);
    return better;
  }
  const bool unwritten = cause.kind == CauseKind::not_written;
  const std::string launches = text_of(prober.launches());
  const auto found = assignment.explain(which, prober);
  if (unwritten) {
    if (tried && !launches.empty()) better.message += "; " + launches;
    // Where nothing is written at the failing size, a larger one may show which store leaves it out.
    if (found && found->written && !found->headline.empty()) {
      prober.allow_more();
      better.mistake = found->mistake;
      better.message += fmt::format(". {}: {}", found->headline, found->what);
      better.message += place(prober, *found, better, blame);
    }
    name_omission(better, assignment, which, blame);
    return better;
  }
  if (!found) return std::nullopt;
  better.message =
      fmt::format("{}: {}", found->headline.empty() ? cause.message : found->headline, found->what);
  better.mistake = found->mistake;
  // drop a kernel launch recorded for another input size
  if (better.n != found->which.n) better.launch.reset();
  if (found->which.size.parts.empty()) {
    better.n = found->which.n;
  } else {
    name_input(better, found->which);
  }
  better.expected = found->expected;
  better.actual = found->actual;
  for (const Explanation::Count& count : found->counts)
    better.elements.push_back({count.first, count.last, count.times});
  better.inputs = found->inputs;
  for (const Explanation::Uses& uses : found->uses) better.uses.push_back({uses.output, uses.of_inputs});
  prober.allow_more();
  const bool tells_reads = found->elements && prober.looks_at_accesses();
  if (tells_reads) better.message += AboutReads(prober, *found, assignment, better, blame).text();
  better.message += place(prober, *found, better, blame);
  if (!tells_reads) {
    if (const std::string ran = launches_at(found->which, prober); !ran.empty()) better.message += "; " + ran;
  }
  if (found->mistake == kUnwritten) name_omission(better, assignment, found->which, blame);
  if (found->filled_with && blame.file != nullptr) {
    if (const int line = line_of_memset(blame.file->text, *found->filled_with); line > 0)
      point_to(better, {blame.file->name, line, {}}, blame);
  }
  return better;
}

}  // namespace

std::optional<Cause> explain_wrong_answer(TriedVersion& version, const Assignment& assignment,
                                          const Case& which, const Cause& cause, const Blame& blame,
                                          const ExperimentLimits& limits) {
  auto better = explained(version, assignment, which, cause, blame, limits);
  auto placed = explain_by_changes(version, assignment, which, better.value_or(cause), blame, limits);
  return placed ? placed : better;
}

std::optional<Cause> with_leftover(const Cause& cause, const Blame& blame, bool only_sure) {
  if (blame.file == nullptr) return std::nullopt;
  const auto found = source_edits::find_leftover(blame.file->text);
  if (!found || (only_sure && !found->is_sure)) return std::nullopt;
  Cause better = cause;
  better.message += fmt::format("; {}:{}: {}. Was a statement left out?", blame.file->name,
                                found->omission.line, found->omission.what);
  return better;
}

std::optional<Cause> explain_by_changes(TriedVersion& version, const Assignment& assignment,
                                        const Case& which, const Cause& cause, const Blame& blame,
                                        const ExperimentLimits& limits, const Demands& demands) {
  if (blame.file == nullptr) return std::nullopt;
  if (auto better = with_leftover(cause, blame, true)) return better;
  KnownChange here;
  KnownChange& known = version.known_change() == nullptr ? here : *version.known_change();
  if (!std::exchange(known.sought, true))
    known.found = find_right_change(
        version, assignment, {which, blame.file->name, lines_seen(cause, blame.file->name), demands}, limits);
  const auto& found = known.found;
  if (!found) return with_leftover(cause, blame, false);
  Cause better = cause;
  better.message += fmt::format("; {}", found->text);
  better.mistake = found->mistake;
  better.cured_by_change = true;
  // Where an engine saw an error, its line stays: the text names that of the change.
  if (rule_of(cause.kind).source == Source::judge)
    point_to(better, {blame.file->name, found->lines.front(), {}}, blame);
  return better;
}

}  // namespace warpmark::judge
