// What failed in one version, as templates/card.mustache takes it.
#pragma once

#include <mstch/mstch.hpp>
#include <string>

#include "reports/cards.h"

namespace warpmark {

// id: of the card on its page.
mstch::map card_view(const Card& card, const std::string& id);

// One cause, as templates/cause.mustache takes it.
mstch::map cause_view(const CardCause& found);

}  // namespace warpmark
