// What the pages of ladders and comparisons put into templates/ladder.mustache.
#pragma once

#include <mstch/mstch.hpp>
#include <string>
#include <vector>

#include "harness/model/ladder.h"

namespace warpmark {

// The first column is the rows' name, the others are numbers.
struct PageTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

// The plots of a ladder in their sections; with_cpu: also those of the sums on the CPU.
mstch::array ladder_sections(const Ladder& ladder, bool with_cpu);

mstch::map figure(const std::string& caption, const std::string& note, std::string svg);
void put_leads(mstch::map& view, const std::vector<std::string>& leads);
void put_table(mstch::map& view, const char* columns_name, const char* rows_name, const PageTable& table);
void put_facts(mstch::map& view, const BenchSetting& setting);

}  // namespace warpmark
