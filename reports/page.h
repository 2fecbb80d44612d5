// A page as one file: its style and script are inside, and its policy allows nothing else.
#pragma once

#include <mstch/mstch.hpp>
#include <string_view>
#include <vector>

namespace warpmark {

// Renders a template with the values. styles: templates that make up the style sheet, in order; script: one
// of the templates, or empty. The templates get `style`, `script` and `policy` for templates/head.mustache.
std::string render_page(std::string_view name, mstch::map view, const std::vector<std::string_view>& styles,
                        std::string_view script = {});

}  // namespace warpmark
