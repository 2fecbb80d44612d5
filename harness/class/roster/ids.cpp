#include "harness/class/roster/ids.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <utf8proc.h>

#include "harness/class/intake/names.h"

namespace warpmark::classroom {
namespace {

constexpr std::size_t kLongest = 80;  // limit on the length of a student's ID, in bytes

bool is_kept(utf8proc_int32_t code) {
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return true;
    default:
      return code == '_' || code == '.';
  }
}

// Normalises a student's name to NFC, so that different encodings of the same name become equal.
std::string composed(std::string_view text) {
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t bytes = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
      &mapped, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (bytes < 0) return std::string(text);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  return {reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(bytes)};
}

}  // namespace

std::string readable_id(std::string_view name) {
  const std::string text = composed(name);
  std::string id;
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t code = -1;
    const auto rest = std::string_view(text).substr(at, 4);
    const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(rest.data()),
                                                    static_cast<utf8proc_ssize_t>(rest.size()), &code);
    const std::size_t size = bytes > 0 ? static_cast<std::size_t>(bytes) : 1;
    if (bytes > 0 && is_kept(code)) {
      if (id.size() + size > kLongest) break;
      id += rest.substr(0, size);
    } else if (!id.empty() && id.back() != '-' && id.size() < kLongest) {
      id += '-';
    }
    at += size;
  }
  id.erase(0, std::min(id.find_first_not_of(".-"), id.size()));
  id.erase(id.find_last_not_of(".-") + 1);
  return id.empty() ? "student" : id;
}

Ids::Ids(std::map<std::string, std::string> given) : given_(std::move(given)) {
  for (const auto& [identity, id] : given_) taken_.insert(folded(id));
}

bool Ids::take(const std::string& identity, const std::string& id) {
  if (!taken_.insert(folded(id)).second) return false;
  given_[identity] = id;
  return true;
}

const std::string& Ids::id_of(const std::string& identity, std::string_view name, std::string_view hint) {
  if (const auto found = given_.find(identity); found != given_.end()) return found->second;
  const std::string base = readable_id(name);
  bool taken = take(identity, base);
  if (!taken && !hint.empty()) taken = take(identity, base + "-" + readable_id(hint));
  for (int count = 2; !taken; ++count) taken = take(identity, fmt::format("{}-{}", base, count));
  return given_.at(identity);
}

}  // namespace warpmark::classroom
