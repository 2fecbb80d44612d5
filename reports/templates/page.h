// Renders a self-contained HTML page: style and script are inline, and the page's content security policy
// allows nothing else.
#pragma once

#include <mstch/mstch.hpp>
#include <string_view>
#include <vector>

namespace warpmark {

// Renders a template. styles: templates that form the style sheet, in order; script: a template, or empty.
// Adds the values `style`, `script` and `policy`, which templates/head.mustache uses.
std::string render_page(std::string_view name, mstch::map view, const std::vector<std::string_view>& styles,
                        std::string_view script = {});

}  // namespace warpmark
