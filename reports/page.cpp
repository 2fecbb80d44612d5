#include "reports/page.h"

#include <array>
#include <string>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "reports/templates.h"

namespace warpmark {
namespace {

// As a Content-Security-Policy names inline text: "'sha256-...'".
std::string hash_source(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr);
  std::array<unsigned char, 2 * EVP_MAX_MD_SIZE> encoded{};
  const int count = EVP_EncodeBlock(encoded.data(), digest.data(), static_cast<int>(length));
  return fmt::format("'sha256-{}'", std::string(encoded.begin(), encoded.begin() + count));
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
