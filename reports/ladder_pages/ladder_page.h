// Helpers that fill templates/ladder.mustache, the page on a benchmark of all implementations in a submission
// or on a comparison of two.
#pragma once

#include <mstch/mstch.hpp>
#include <string>
#include <vector>

#include "harness/model/ladder.h"

namespace warpmark {

// A table on the page: the first column holds the row names, the others hold numbers.
struct PageTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

// Returns the plots of a benchmark, grouped into page sections. with_cpu: include plots of the CPU
// implementations.
mstch::array ladder_sections(const Ladder& ladder, bool with_cpu);

mstch::map figure(const std::string& caption, const std::string& note, std::string svg);
void put_leads(mstch::map& view, const std::vector<std::string>& leads);
void put_table(mstch::map& view, const char* columns_name, const char* rows_name, const PageTable& table);
void put_facts(mstch::map& view, const BenchSetting& setting);

}  // namespace warpmark
