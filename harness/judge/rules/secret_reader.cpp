#include "harness/judge/rules/secret_reader.h"

#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpmark::judge {
namespace {

constexpr std::uint64_t kMostSecret = 1000;  // secret sizes of a grading, each a call of every version

void check_count(const TomlTable& table, const std::string& name, std::uint64_t count) {
  if (count > kMostSecret)
    table.refuse(fmt::format("{} must be at most {}: every version is called at each of these sizes",
                             table.full(name), kMostSecret));
}

// Reads a bound of secret input sizes: a whole number, or text with an expression of the parts of the size in
// `known`.
plain::Expression expression_of(const TomlTable& table, const toml::node& node, const std::string& name,
                                const std::set<std::string>& known) {
  if (node.is_integer()) return plain::Expression::number(**node.as_integer());
  if (!node.is_string())
    table.refuse(node, fmt::format("{} must be a whole number or an expression of the sizes before it",
                                   table.full(name)));
  auto parsed = plain::Expression::parse(**node.as_string());
  if (!parsed) table.refuse(node, fmt::format("{}: {}", table.full(name), parsed.error().message));
  for (const std::string& used : parsed->names()) {
    if (!known.contains(used))
      table.refuse(node,
                   fmt::format("{} uses {}; it may use the sizes before it{}{}", table.full(name), used,
                               known.empty() ? ", and this is the first" : ": ", fmt::join(known, ", ")));
  }
  return std::move(*parsed);
}

SecretSizes read_short_form(TomlTable& correct, std::size_t parts) {
  if (parts != 1)
    correct.refuse(
        fmt::format("correct.secret_sizes is for one size; write secret = {{count = 4, ...}} with bounds for "
                    "each of the {}",
                    parts));
  const std::uint64_t most = correct.count_or("secret_max", 100'000);
  if (most == 0) correct.refuse("correct.secret_max must be above 0");
  SecretSizes secret;
  secret.count = correct.count_or("secret_sizes", 0);
  check_count(correct, "secret_sizes", secret.count);
  secret.ranges = {
      {plain::Expression::number(1), plain::Expression::number(static_cast<std::int64_t>(most))}};
  return secret;
}

}  // namespace

SecretSizes read_secret(TomlTable& correct, const std::vector<std::string>& names) {
  if (correct.find("secret_sizes") != nullptr || correct.find("secret_max") != nullptr)
    return read_short_form(correct, names.size());
  SecretSizes secret;
  auto inner = correct.table("secret");
  if (!inner) return secret;
  secret.count = inner->count("count");
  check_count(*inner, "count", secret.count);
  std::set<std::string> before;
  for (const std::string& name : names) {
    const toml::array& bounds = inner->list(name);
    if (bounds.size() != 2)
      inner->refuse(
          bounds, fmt::format("{} must be a list of two: the least and the largest size", inner->full(name)));
    secret.ranges.emplace_back(expression_of(*inner, *bounds.get(0), name, before),
                               expression_of(*inner, *bounds.get(1), name, before));
    before.insert(name);
  }
  if (inner->find("where") != nullptr)
    secret.where = expression_of(*inner, inner->need("where"), "where", before);
  inner->finish();
  return secret;
}

}  // namespace warpmark::judge
