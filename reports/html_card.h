// Prepares the failures of one version as values for templates/card.mustache.
#pragma once

#include <mstch/mstch.hpp>
#include <string>

#include "reports/cards.h"

namespace warpmark {

// id: HTML id of the card (the failures of one version) on its page.
mstch::map card_view(const Card& card, const std::string& id);

// Prepares one cause of failure for templates/cause.mustache.
mstch::map cause_view(const CardCause& found);

}  // namespace warpmark
