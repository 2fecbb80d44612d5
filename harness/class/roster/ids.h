// Makes folder names from students' names, safe to use in scripts.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warpmark::classroom {

// Returns "Zoë-Müller" for "Zoë  Müller": keeps letters, digits and marks of any script in NFC and replaces
// every other run of characters by one `-`. The result has at most 80 bytes and starts with neither `-` nor
// `.`; it is "student" if nothing is left.
std::string readable_id(std::string_view name);

// Assigns each student identity a unique ID, ignoring case. Assignments are stable across runs if the IDs of
// earlier runs are passed to the constructor.
class Ids {
 public:
  explicit Ids(std::map<std::string, std::string> given = {});

  // Returns the identity's ID, made on first use. hint: text that distinguishes students of the same name,
  // such as the platform's number; if empty, "-2", "-3" is appended.
  const std::string& id_of(const std::string& identity, std::string_view name, std::string_view hint);
  [[nodiscard]] const std::map<std::string, std::string>& given() const { return given_; }

 private:
  bool take(const std::string& identity, const std::string& id);

  std::map<std::string, std::string> given_;  // IDs already assigned, keyed by the student's identity
  std::set<std::string> taken_;               // all students' IDs in use, in lower case
};

}  // namespace warpmark::classroom
