// Reads the roster: the instructor's list of the students of a course.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "harness/base/error.h"
#include "harness/class/intake/delivery.h"

namespace warpmark::classroom {

struct RosterEntry {
  Person person;
  // Days by which the student may be late, from the roster's column "late_days".
  std::optional<double> late_days;
  // Number of submissions that the student has handed in, from the column "attempts"; 0: not given.
  std::uint64_t attempts = 0;
};

// Reads a roster from a CSV file whose header names at least one of name, id, email, login, sid (or the
// equivalents of Canvas, Moodle and GitHub). Fails, quoting the header, if no column is known, and if two
// students have the same key.
Result<std::vector<RosterEntry>> read_roster(const std::filesystem::path& file);

// Returns the roster indices of the students who may be the given person: by key, email, login or number if
// one matches, else by name, ignoring case, Unicode normalisation, punctuation and the order of first and
// last name.
std::vector<std::size_t> matches(const std::vector<RosterEntry>& roster, const Person& person);

}  // namespace warpmark::classroom
