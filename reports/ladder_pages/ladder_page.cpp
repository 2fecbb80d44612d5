#include "reports/ladder_pages/ladder_page.h"

#include <fmt/format.h>

#include "reports/wording/text.h"

namespace warpmark {

mstch::map figure(const std::string& caption, const std::string& note, std::string svg) {
  return mstch::map{{"caption", caption}, {"caption_note", note}, {"svg", std::move(svg)}};
}

void put_leads(mstch::map& view, const std::vector<std::string>& leads) {
  mstch::array shown;
  for (const std::string& lead : leads) shown.push_back(mstch::map{{"lead", visible_line(lead)}});
  view["leads"] = shown;
}

void put_table(mstch::map& view, const char* columns_name, const char* rows_name, const PageTable& table) {
  mstch::array columns;
  for (const std::string& column : table.columns) {
    columns.push_back(mstch::map{{"column", column}, {"numeric", !columns.empty()}});
  }
  mstch::array rows;
  for (const std::vector<std::string>& row : table.rows) {
    mstch::array cells;
    for (std::size_t i = 1; i < row.size(); ++i) cells.push_back(mstch::map{{"cell", visible_line(row[i])}});
    rows.push_back(mstch::map{{"row_name", visible_line(row.at(0))}, {"cells", cells}});
  }
  view[columns_name] = columns;
  view[rows_name] = rows;
}

void put_facts(mstch::map& view, const BenchSetting& setting) {
  mstch::array facts;
  const auto add = [&](const char* fact_name, const std::string& fact) {
    if (!fact.empty())
      facts.push_back(mstch::map{{"fact_name", std::string(fact_name)}, {"fact", visible_line(fact)}});
  };
  add("GPU", setting.gpu);
  add("Driver", setting.driver);
  add("Compiler", setting.compiler);
  if (setting.peak_gb_per_s > 0)
    add("Memory's peak", fmt::format("{:.0f} GB/s, 2 x memory clock x bus width", setting.peak_gb_per_s));
  if (setting.peak_gflops > 0) {
    add("Arithmetic's peak", fmt::format("{} GFLOP/s, all lanes at the highest clock",
                                         grouped(static_cast<unsigned long long>(setting.peak_gflops))));
  }
  if (setting.l2_bytes > 0) add("L2", fmt::format("{} MiB", setting.l2_bytes >> 20));
  add("CPU", fmt::format("{}, {} threads", setting.cpu, setting.cpu_threads));
  add("Date", setting.date + " UTC");
  add("Warpmark", fmt::format("{}, {:.0f} s in all", setting.tool_version, setting.seconds));
  view["facts"] = facts;
}

}  // namespace warpmark
