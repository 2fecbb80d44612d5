// The list of the students of a course, as the instructor has it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/class/intake/delivery.h"

namespace warpmark::classroom {

struct RosterEntry {
  Person person;
  std::optional<double> late_days;  // from a column of that name
};

// A CSV file with a header that names at least one of: name, id, email, login, sid (and what Canvas, Moodle
// and GitHub call them). Fails with the header's names when none is known, and on two students with one key.
Result<std::vector<RosterEntry>> read_roster(const std::filesystem::path& file);

// Which students of a roster a delivery may be from: by key, email, login or number if one matches, else by
// name, where case, accents' spelling, punctuation and the order of first and last name do not count.
std::vector<std::size_t> matches(const std::vector<RosterEntry>& roster, const Person& person);

}  // namespace warpmark::classroom
