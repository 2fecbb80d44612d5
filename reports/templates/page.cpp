#include "reports/templates/page.h"

#include <string>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "reports/formats/autograders.h"
#include "reports/templates/templates.h"

namespace warpmark {
namespace {

// Returns the source expression for inline text in a Content-Security-Policy: "'sha256-...'".
std::string hash_source(const std::string& text) {
  const std::string digits = sha256(text);
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return fmt::format("'sha256-{}'", base64(bytes));
}

}  // namespace

std::string render_page(std::string_view name, mstch::map view, const std::vector<std::string_view>& styles,
                        std::string_view script) {
  std::string style;
  for (const std::string_view each : styles) style += templates().at(std::string(each));
  const std::string code = script.empty() ? std::string() : templates().at(std::string(script));
  view["policy"] =
      fmt::format("default-src 'none'; style-src {}; {}base-uri 'none'; form-action 'none'",
                  hash_source(style), code.empty() ? "" : fmt::format("script-src {}; ", hash_source(code)));
  view["style"] = style;
  view["script"] = code;
  return mstch::render(templates().at(std::string(name)), view, templates());
}

}  // namespace warpmark
