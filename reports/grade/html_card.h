// Prepares the failures of one kernel file for templates/failures.mustache.
#pragma once

#include <mstch/mstch.hpp>
#include <string>

#include "reports/grade/cards.h"

namespace warpmark {

// id: HTML id of the card (the failures of one version) on its page.
mstch::map card_view(const Card& card, const std::string& id);

// Prepares one cause of failure for templates/cause.mustache.
mstch::map cause_view(const CardCause& found);

}  // namespace warpmark
