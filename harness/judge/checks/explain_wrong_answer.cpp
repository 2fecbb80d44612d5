#include "harness/judge/checks/explain_wrong_answer.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "harness/build/source_places.h"
#include "harness/judge/checks/blamed_lines.h"
#include "harness/judge/checks/prober.h"
#include "harness/judge/checks/right_change.h"
#include "harness/judge/workers/given_headers.h"
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
    const bool own = launch.kernel.find("warpmark_lib::") == std::string::npos &&
                     launch.kernel.find("thrust::") == std::string::npos;
    text += fmt::format("{}{} ran with {} of {}", i == 0 ? "" : ", then ",
                        own ? launch.kernel : "a kernel of the library", count_of(blocks, "block"),
                        count_of(threads, "thread"));
    if (blocks > 1) text += fmt::format(", {} threads in all", blocks * threads);
  }
  if (launches.size() > kNamed) text += fmt::format(", then {} more launches", launches.size() - kNamed);
  return text;
}

constexpr std::string_view kUnwritten = "unwritten";  // Explanation::mistake

// Returns true if a line of the submission's own files accessed memory, rather than one of a library.
bool is_of_the_submission(const Access& access, const Blame& blame) {
  return (blame.file != nullptr && access.file == blame.file->name) ||
         !excerpt_in(blame, access.file, access.line).empty();
}

// Returns the callers, ", called from v.cu:20, from iterator.h:127", that are lines of the submission's
// files.
std::string own_callers(const std::string& callers, const Blame& blame) {
  constexpr std::string_view kFrom = "from ";
  std::string own;
  for (std::size_t at = callers.find(kFrom); at != std::string::npos; at = callers.find(kFrom, at)) {
    at += kFrom.size();
    const std::string place = callers.substr(at, callers.find(',', at) - at);
    const Access caller{place.substr(0, place.find(':')), std::atoi(place.c_str() + place.find(':') + 1), {}};
    if (is_of_the_submission(caller, blame))
      own += fmt::format("{}from {}", own.empty() ? ", called " : ", ", place);
  }
  return own;
}

// Of an access in a header that was given complete, the line of the version that leads there is taken.
Accesses of_the_submission(Accesses accesses, const Blame& blame) {
  for (Access& access : accesses) {
    access.callers = own_callers(access.callers, blame);
    const int line = line_that_reaches(blame, access.file, access.line);
    if (line > 0) access = {blame.file->name, line, "", access.by_warp};
  }
  std::erase_if(accesses, [&](const Access& access) { return !is_of_the_submission(access, blame); });
  return accesses;
}

// Points a cause to the line that loads the input or stores the output at fault. Returns what a message adds.
std::string place(Prober& prober, const Explanation& found, Cause& cause, const Blame& blame) {
  if (!prober.looks_at_accesses()) return {};
  Accesses reads;
  Accesses writes;
  if (found.read) reads = of_the_submission(prober.readings(found.which, *found.read), blame);
  if (found.written) writes = of_the_submission(prober.writings(found.which, *found.written), blame);
  // Of an input that nothing loads, the line that loads others of its buffer.
  const bool others = found.read && reads.empty();
  if (others) {
    const Explanation::Bytes all{found.read->buffer, 0, prober.bytes_of(found.which, found.read->buffer)};
    reads = of_the_submission(prober.readings(found.which, all), blame);
  }
  if (reads.empty() && writes.empty()) return {};
  // A line that loads rightly used inputs, too, is not the first to blame.
  if (found.rightly_read && reads.size() > 1) {
    const Accesses usual = prober.readings(found.which, *found.rightly_read);
    std::ranges::stable_partition(reads, [&](const Access& each) { return !has_the_place_of(usual, each); });
  }
  const bool store = reads.empty() || (found.store_at_fault && !writes.empty());
  // Of several stores the last one decides.
  point_to(cause, store ? writes.back() : reads.front(), blame);
  std::string text;
  if (!reads.empty())
    text +=
        fmt::format(". {} at {}", others ? "No line loads it; others are loaded" : "Loaded", text_of(reads));
  if (!writes.empty())
    text += fmt::format("{} at {}", text.empty() ? ". Stored" : ", stored", text_of(writes));
  return text;
}

// Returns the lines in which a mistake shows: those that the cause names, and those of loads and stores in
// its text, "stored at line 44", which are lines of its file or else of the version's.
std::vector<source_edits::Origin> lines_seen(const Cause& cause, const std::string& file) {
  constexpr std::string_view kLine = "line ";
  std::vector<source_edits::Origin> lines;
  for (const int line : lines_named_by(cause, cause.file)) lines.push_back({cause.file, line});
  for (std::size_t at = cause.message.find(kLine); at != std::string::npos;
       at = cause.message.find(kLine, at + 1)) {
    if (const int line = std::atoi(cause.message.c_str() + at + kLine.size()); line > 0)
      lines.push_back({file, line});
  }
  return lines;
}

// Returns what a message says of the call in which a result was wrong, behind the result; may be empty.
std::string about_the_call(const std::string& message) {
  const std::size_t at = std::min(message.find(" (in the second call"), message.find(" in a second call"));
  return at == std::string::npos ? std::string() : message.substr(at);
}

// What experiments showed of a wrong result.
struct Explained {
  Cause cause;
  // What the message adds where no change of the source is known to help: what to look at, the lines that
  // load and store, the launches.
  std::string details = {};
  bool is_sure = false;  // true: no change of the source is sought, because the message says it all
};

std::optional<Explained> explained(TriedVersion& version, const Assignment& assignment, const Case& which,
                                   const Cause& cause, const Blame& blame, const ExperimentLimits& limits) {
  Prober prober(version, assignment, limits);
  prober.read_scratch();
  const bool tried = prober.call_regularly(which);
  const Size size = which.sizes();
  const bool empty = std::ranges::find(size.parts, 0U) != size.parts.end();
  const bool no_kernel = tried && prober.records_launches() && prober.kernels() == 0 && which.n > 0 && !empty;
  Cause better = cause;
  if (no_kernel) {
    better.message += ": no kernel was launched";
    name_omission(better, assignment, which, blame);
    return Explained{std::move(better)};
  }
  const bool unwritten = cause.kind == CauseKind::not_written;
  const std::string launches = text_of(prober.launches());
  const auto found = assignment.explain(which, prober);
  if (unwritten) {
    if (tried && !launches.empty()) better.message += "; " + launches;
    std::string details;
    // Where nothing is written at the failing size, a larger one may show which store leaves it out.
    if (found && found->written && !found->headline.empty()) {
      prober.allow_more();
      better.mistake = found->mistake;
      details = fmt::format(". {}: {}{}{}{}", found->headline, found->what, found->remedy.empty() ? "" : "; ",
                            found->remedy, place(prober, *found, better, blame));
    }
    name_unreached(better, which.n, prober.launches(), blame, details);
    name_omission(better, assignment, which, blame);
    return Explained{std::move(better), std::move(details)};
  }
  if (!found) {
    std::string details;
    if (!name_unreached(better, which.n, prober.launches(), blame, details)) return std::nullopt;
    return Explained{std::move(better), std::move(details)};
  }
  prober.allow_more();
  const bool stored =
      found->left && prober.looks_at_accesses() && !prober.writings(found->which, *found->left).empty();
  better.message = fmt::format(
      "{}: {}", found->headline.empty() ? cause.message : found->headline + about_the_call(cause.message),
      stored ? found->what_if_stored : found->what);
  better.mistake = found->mistake;
  // drop a kernel launch recorded for another input size
  if (better.n != found->which.n) better.launch.reset();
  name_input(better, found->which);
  better.expected = found->expected;
  better.actual = found->actual;
  for (const Explanation::Count& count : found->counts)
    better.elements.push_back({count.first, count.last, count.times});
  better.inputs = found->inputs;
  for (const Explanation::Uses& uses : found->uses) better.uses.push_back({uses.output, uses.of_inputs});
  const auto ran = prober.call_regularly(found->which) ? prober.launches() : std::vector<wire::Launch>();
  if (!ran.empty()) better.message += "; " + text_of(ran);
  std::string details;
  if (!stored && !name_unreached(better, found->which.n, ran, blame, details) && !found->remedy.empty())
    details = "; " + found->remedy;
  details += place(prober, *found, better, blame);
  if (found->mistake == kUnwritten) name_omission(better, assignment, found->which, blame);
  const bool is_sure = name_sign(better, *found, blame, details);
  point_to_named_call(better, found->what, blame);
  details += setting_line(*found, better, blame);
  if (const build::Place declared = blame.file == nullptr || found->types.empty()
                                        ? build::Place{}
                                        : build::only_line_with(blame.file->text, found->types);
      declared.line != 0) {
    details += fmt::format("; line {} declares such a type: `{}`", declared.line, declared.code);
    point_to(better, {blame.file->name, declared.line, {}}, blame);
  }
  return Explained{std::move(better), std::move(details), is_sure};
}

// Returns the message without what may be done about any failure of its kind, where what helps is known.
std::string without_general_advice(std::string message) {
  static constexpr std::array<std::string_view, 3> kAdvice{
      "; test the index against the size before the access",
      "; look for an index past an array's end, or a null or dangling pointer",
      "; look for a loop that never ends, or a wait for something that never happens"};
  for (const std::string_view advice : kAdvice) {
    if (const std::size_t at = message.find(advice); at != std::string::npos)
      message.erase(at, advice.size());
  }
  return message;
}

// Adds the change of the source after which all is right, or what a left out statement left behind. `seen`:
// the lines in which the mistake shows. Returns nullopt if neither is found.
std::optional<Cause> with_change(TriedVersion& version, const Assignment& assignment, const Case& which,
                                 const Cause& cause, const Blame& blame, const ExperimentLimits& limits,
                                 const Demands& demands, const std::vector<source_edits::Origin>& seen) {
  if (blame.file == nullptr) return std::nullopt;
  if (auto better = with_leftover(cause, blame, true)) return better;
  KnownChange here;
  KnownChange& known = version.known_change() == nullptr ? here : *version.known_change();
  if (!std::exchange(known.sought, true))
    known.found = find_right_change(version, assignment, {which, seen, demands}, limits);
  const auto& found = known.found;
  if (!found) return with_leftover(cause, blame, false);
  Cause better = cause;
  better.message = without_general_advice(better.message) + fmt::format("; {}", found->text);
  better.mistake = found->mistake;
  better.cured_by_change = true;
  // Where an engine saw an error, its line stays: the text names that of the change.
  if (rule_of(cause.kind).source == Source::judge)
    point_to(better, {found->lines.front().file, found->lines.front().line, {}}, blame);
  return better;
}

}  // namespace

std::optional<Cause> explain_wrong_answer(TriedVersion& version, const Assignment& assignment,
                                          const Case& which, const Cause& cause, const Blame& blame,
                                          const ExperimentLimits& limits, const Demands& demands) {
  auto found = explained(version, assignment, which, cause, blame, limits);
  Cause better = found ? found->cause : cause;
  if (found && found->is_sure) {
    better.message += found->details;
    return better;
  }
  // The lines of the details show where to look for a change; with one that helps, they are not told.
  const auto seen = [&] {
    Cause all = better;
    if (found) all.message += found->details;
    return blame.file == nullptr ? std::vector<source_edits::Origin>() : lines_seen(all, blame.file->name);
  }();
  if (auto placed = with_change(version, assignment, which, better, blame, limits, demands, seen)) {
    if (found && !placed->cured_by_change) placed->message += found->details;
    return placed;
  }
  if (!found) return std::nullopt;
  better.message += found->details;
  return better;
}

namespace {

// Returns true for a failure whose line, if it has one, is not that of the mistake: host code crashes in what
// it calls, and of a wrong output the line is where it is stored.
bool is_seen_elsewhere(const Cause& cause) {
  return cause.kind == CauseKind::crashed || rule_of(cause.kind).source == Source::judge;
}

}  // namespace

std::optional<Cause> with_leftover(const Cause& cause, const Blame& blame, bool only_sure) {
  if (blame.file == nullptr) return std::nullopt;
  const auto found = source_edits::find_leftover(blame.file->text);
  if (!found || (only_sure && !found->is_sure)) return std::nullopt;
  Cause better = cause;
  const Access place{blame.file->name, found->omission.line, {}};
  if (found->is_sure && is_seen_elsewhere(cause)) {
    better.message = fmt::format(
        "{}. {}. Seen: {}", found->omission.what, found->advice,
        cause.message.substr(0, std::min(cause.message.find("; look"), cause.message.find(" (in "))));
    better.mistake = kSureInSource;
    point_to(better, place, blame);
    return better;
  }
  better.message += fmt::format("; {}:{}: {}. {}", blame.file->name, found->omission.line,
                                found->omission.what, found->advice);
  if (better.line == 0) point_to(better, place, blame);
  return better;
}

std::optional<Cause> explain_by_changes(TriedVersion& version, const Assignment& assignment,
                                        const Case& which, const Cause& cause, const Blame& blame,
                                        const ExperimentLimits& limits, const Demands& demands) {
  if (blame.file == nullptr) return std::nullopt;
  Demands all = demands;
  // Another test or name may keep threads from the wide accesses of which one is misaligned, for all inputs.
  if (cause.kind == CauseKind::misaligned)
    all.is_cure = [](std::string_view mistake) {
      return mistake != "wrong_comparison" && mistake != "wrong_condition" && mistake != "missing_test" &&
             mistake != "wrong_name" && mistake != "swapped_names";
    };
  // Lanes of a warp wait for each other by __syncwarp(), as the finding says: other warps may not come by.
  if (cause.kind == CauseKind::warp_synchronous)
    all.is_cure = [](std::string_view mistake) { return mistake != "missing_barrier"; };
  return with_change(version, assignment, which, cause, blame, limits, all,
                     lines_seen(cause, blame.file->name));
}

}  // namespace warpmark::judge
