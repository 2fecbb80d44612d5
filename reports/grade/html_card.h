// Builds the values that templates/failures.mustache needs to show the failed checks of one kernel file.
#pragma once

#include <mstch/mstch.hpp>
#include <string>

#include "reports/grade/cards.h"

namespace warpmark {

// Returns the template values of a card, the box on the HTML page with one kernel file's failures. id: HTML
// id of that box.
mstch::map card_view(const Card& card, const std::string& id);

// Returns the values that templates/cause.mustache needs to show one cause of failed checks.
mstch::map cause_view(const CardCause& found, bool in_steps = false);

}  // namespace warpmark
