#include "harness/class/run/take_in.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>

#include <fmt/format.h>

#include "harness/base/moments.h"
#include "harness/class/intake/names.h"
#include "harness/class/roster/ids.h"
#include "harness/judge/intake/near_names.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;

// Adds a remark for each file whose name is close to an expected kernel file's name, unless the expected file
// exists too.
void remark_near_names(const Tree& tree, const KnownAssignment& assignment,
                       std::vector<std::string>& remarks) {
  std::set<std::string> there;
  for (const TreeFile& file : tree.files) there.insert(file.path);
  for (const TreeFile& file : tree.files) {
    const auto meant = judge::near_name(file.path, assignment.files);
    if (meant && !there.contains(*meant))
      remarks.push_back(fmt::format("{} is not the name of a version; did you mean {}?", file.path, *meant));
  }
}

class ClassIntake {
 public:
  ClassIntake(const ClassOptions& options, Journal& journal, std::vector<RosterEntry> roster,
              std::optional<std::int64_t> due)
      : options_(options),
        roster_(std::move(roster)),
        seen_(roster_.size()),
        due_(due),
        ids_(journal.ids()) {}

  void add(Delivery delivery, const KnownAssignment& assignment) {
    Identified who = identify(delivery.person, roster_, seen_);
    Taken taken;
    taken.person = std::move(who.person);
    taken.source = delivery.source;
    taken.submitted = delivery.submitted;
    taken.doubt = std::move(who.doubt);
    taken.lateness = delivery.lateness;
    taken.remarks = std::move(delivery.remarks);
    set_lateness(taken, who.late_days);
    taken.attempts = who.attempts;
    taken.id = id_of(delivery, taken.person);
    const bool nothing = delivery.tree.files.empty() && delivery.tree.refused.empty() && !delivery.fault;
    const auto folder = versions_folder(delivery.tree, assignment);
    if (nothing) {
      taken.fault = StudentCause{"missing", "nothing handed in: the folder is empty"};
    } else if (folder) {
      const Tree tree = delivery.tree.below(*folder);
      remark_near_names(tree, assignment, taken.remarks);
      taken.content = content_of(tree);
      if (auto fault = place(taken, tree)) taken.fault = std::move(fault);
    } else {
      taken.fault = delivery.fault ? delivery.fault : folder.error();
      // Drops a remark that only repeats the submission's fault, the reason why it cannot be graded.
      std::erase(taken.remarks, taken.fault->message);
    }
    taken_.students.push_back(std::move(taken));
  }

  // Returns true if no submission matches the roster, which then probably belongs to another class.
  [[nodiscard]] bool matches_nobody() const {
    return !roster_.empty() && !taken_.students.empty() && std::ranges::find(seen_, true) == seen_.end();
  }

  void add_missing() {
    for (std::size_t i = 0; i < roster_.size(); ++i) {
      if (seen_[i]) continue;
      const Person& person = roster_[i].person;
      Taken taken;
      taken.person = person;
      taken.id = ids_.id_of("roster\n" + person.key + person.email + person.login + person.name, person.name,
                            person.key);
      taken.fault = StudentCause{"missing", "nothing handed in: is only on the roster"};
      taken_.students.push_back(std::move(taken));
    }
  }

  TakenClass finish(Journal& journal, const KnownAssignment& assignment,
                    std::vector<NotUnderstood> not_understood) {
    taken_.assignment = assignment.name;
    taken_.folder = assignment.folder;
    taken_.not_understood = std::move(not_understood);
    std::ranges::sort(taken_.students, {}, &Taken::id);
    journal.set_taken(taken_, ids_.given());
    return std::move(taken_);
  }

 private:
  std::string id_of(const Delivery& delivery, const Person& person) {
    std::string identity = delivery.person.key.empty()
                               ? "folder\n" + folded(delivery.person.name)
                               : fmt::format("{}\n{}", name_of(delivery.layout), delivery.person.key);
    if (!identities_.insert(identity).second) identity += "\n" + delivery.source;
    return ids_.id_of(identity, person.name.empty() ? delivery.person.name : person.name,
                      delivery.person.key);
  }

  void set_lateness(Taken& taken, std::optional<double> by_roster) const {
    const auto moment = moment_of(taken.submitted);
    if (by_roster) {
      taken.lateness.days = by_roster;
    } else if (due_ && moment) {
      taken.lateness.days = days_late(*due_, *moment);
    }
    if (taken.lateness.days) taken.lateness.late = *taken.lateness.days > 0;
  }

  // Writes the submission into the output folder; leaves the folder unchanged if its contents are already the
  // same. Returns why that is not possible, if that is the submission's fault; throws if it is the disk's.
  [[nodiscard]] std::optional<StudentCause> place(const Taken& taken, const Tree& tree) const {
    const fs::path folder = options_.out / "submissions" / taken.id;
    const auto there = read_folder(folder, kSubmissionCaps);
    if (there && content_of(*there) == taken.content) return std::nullopt;
    try {
      put(tree, folder);
    } catch (const fs::filesystem_error& error) {
      static constexpr std::array kOfTheDisk{ENOSPC, EDQUOT, EIO, EROFS, EACCES, EPERM, EMFILE, ENFILE};
      if (std::ranges::find(kOfTheDisk, error.code().value()) != kOfTheDisk.end()) throw;
      return StudentCause{"damaged", fmt::format("its files cannot be put side by side: {}: {}",
                                                 error.path1().filename().string(), error.code().message())};
    }
    return std::nullopt;
  }

  const ClassOptions& options_;
  std::vector<RosterEntry> roster_;
  std::vector<bool> seen_;
  std::optional<std::int64_t> due_;
  Ids ids_;
  std::set<std::string> identities_;
  TakenClass taken_;
};

}  // namespace

Identified identify(const Person& person, const std::vector<RosterEntry>& roster, std::vector<bool>& seen) {
  Identified who{person, std::nullopt, 0, ""};
  if (roster.empty()) return who;
  const auto found = matches(roster, person);
  if (found.empty()) {
    who.doubt = "is not on the roster; add the student, or correct the spelling, and run again";
    return who;
  }
  if (found.size() > 1) {
    who.doubt = fmt::format("matches {} students on the roster; give them different keys, and run again",
                            found.size());
    return who;
  }
  const RosterEntry& entry = roster[found.front()];
  if (seen[found.front()])
    who.doubt = "is a second submission of one student on the roster; remove one and run again";
  seen[found.front()] = true;
  const auto fill = [](std::string& text, const std::string& known) {
    if (!known.empty()) text = known;
  };
  fill(who.person.name, entry.person.name);
  fill(who.person.email, entry.person.email);
  fill(who.person.login, entry.person.login);
  fill(who.person.sid, entry.person.sid);
  if (who.person.key.empty()) who.person.key = entry.person.key;
  who.late_days = entry.late_days;
  who.attempts = entry.attempts;
  return who;
}

Result<TakenClass> take_in_class(const ClassOptions& options, const std::vector<KnownAssignment>& known,
                                 Journal& journal) {
  std::vector<RosterEntry> roster;
  if (!options.roster.empty()) {
    auto read = read_roster(options.roster);
    if (!read) return tl::unexpected(read.error());
    roster = std::move(*read);
  }
  std::optional<std::int64_t> due;
  if (!options.due.empty()) {
    due = moment_of(options.due);
    if (!due) {
      return fail(
          fmt::format("--due {}: write date, time and zone, as in 2026-11-20T23:59:00+01:00", options.due));
    }
  }
  const fs::path staging = options.out / ".intake";
  fs::remove_all(staging);
  auto found = gather(options.inputs, staging, options.out);
  if (!found) return tl::unexpected(found.error());
  auto assignment = known.begin();
  if (options.assignment.empty()) {
    const auto told = assignment_of(found->all, known);
    if (!told) return tl::unexpected(told.error());
    assignment = std::ranges::find(known, *told, &KnownAssignment::name);
  }
  // Sorts the submissions, so that students' IDs do not depend on the file system's order of listing.
  std::ranges::sort(found->all, {}, [](const Delivery& delivery) {
    return std::tuple(delivery.person.name, delivery.person.key, delivery.source);
  });
  ClassIntake intake(options, journal, std::move(roster), due);
  for (Delivery& delivery : found->all) intake.add(std::move(delivery), *assignment);
  if (intake.matches_nobody()) {
    return fail(
        fmt::format("none of the {} submissions is by a student of {}; give the roster of this class, or "
                    "leave --roster out",
                    found->all.size(), options.roster.string()));
  }
  intake.add_missing();
  TakenClass taken = intake.finish(journal, *assignment, std::move(found->not_understood));
  fs::remove_all(staging);
  return taken;
}

}  // namespace warpmark::classroom
