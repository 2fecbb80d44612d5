// Names of folders for students, readable in every script.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warpmark::classroom {

// "Zoë-Müller" of "Zoë  Müller": letters, digits and marks of any script in NFC, everything else one `-`.
// Begins with neither `-` nor `.`, at most 80 bytes; "student" where nothing is left.
std::string readable_id(std::string_view name);

// Gives each identity an id that no other has, also where case does not count, and the same one in every run
// that knows the ids given before.
class Ids {
 public:
  explicit Ids(std::map<std::string, std::string> given = {});

  // `hint` tells namesakes apart, as the platform's number does; empty: "-2", "-3".
  const std::string& id_of(const std::string& identity, std::string_view name, std::string_view hint);
  [[nodiscard]] const std::map<std::string, std::string>& given() const { return given_; }

 private:
  bool take(const std::string& identity, const std::string& id);

  std::map<std::string, std::string> given_;  // id by identity
  std::set<std::string> taken_;               // folded
};

}  // namespace warpmark::classroom
