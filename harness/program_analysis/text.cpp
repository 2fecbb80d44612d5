#include "reports/wording/text.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "harness/program_analysis/counts.h"
#include "harness/program_analysis/simulation.h"

namespace warpmark::program_analysis {
namespace {

constexpr std::size_t kIndent = 2;
// Number of context lines that an excerpt shows before and after a source line.
constexpr int kShownAround = 1;
constexpr std::size_t kMostShown = 40;
constexpr std::size_t kWidestName = 32;
constexpr std::size_t kMostHints = 3;

class TextPage {
 public:
  explicit TextPage(const ConsoleStyle& style)
      : width_(static_cast<std::size_t>(std::clamp(style.width, 40, 120))), colour_(style.colour) {}

  void line(std::string_view text) { out_.append(text).append("\n"); }
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const {
    return colour_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  }
  void paragraph(std::string_view text, std::size_t indent = kIndent) {
    for (const std::string& part : wrapped(visible(text), width_ - indent))
      line(std::string(indent, ' ') + part);
  }

  // Prints each source line of a finding once, with context.
  void excerpt(const ShownFinding& finding) {
    struct Shown {
      std::string text;
      bool marked = false;
    };
    std::map<int, Shown> shown;
    const auto add = [&](const std::vector<SourceLine>& lines, int marked) {
      for (const SourceLine& each : lines) {
        if (each.number < marked - kShownAround || each.number > marked + kShownAround) continue;
        Shown& entry = shown[each.number];
        entry.text = source_line(each.text);
        entry.marked = entry.marked || each.number == marked;
      }
    };
    add(finding.excerpt, finding.line);
    add(finding.other_excerpt, finding.other_line);
    int before = 0;
    for (const auto& [number, each] : shown) {
      if (before != 0 && number != before + 1) line(paint("2", "      ..."));
      before = number;
      const std::string text =
          cut_to(fmt::format("{} {:>5} | {}", each.marked ? '>' : ' ', number, each.text), width_ - kIndent);
      line(std::string(kIndent, ' ') + paint(each.marked ? "1" : "2", text));
    }
  }

  // Prints memory leaks in one line each, because they are numerous and similar.
  void leaks(const std::vector<const ShownFinding*>& all) {
    if (all.empty()) return;
    line({});
    line(paint("33", fmt::format("note: {}", rule_of(CauseKind::leak).title)));
    for (const ShownFinding* each : all) {
      paragraph(each->line > 0 ? fmt::format("{}:{}: {}", each->file, each->line, each->message)
                               : each->message);
    }
  }

  void finding(const ShownFinding& finding) {
    std::string where;
    if (!finding.kernel.empty()) where += fmt::format(" in kernel {}", visible_line(finding.kernel));
    if (finding.line > 0) where += fmt::format(", {}:{}", visible_line(finding.file), finding.line);
    if (finding.other_line > 0 && finding.other_line != finding.line)
      where += fmt::format(" and line {}", finding.other_line);
    line({});
    const std::string heading =
        fmt::format("{}{}{}", finding.note ? "note: " : "", rule_of(finding.kind).title, where);
    for (const std::string& part : wrapped(heading, width_)) line(paint(finding.note ? "33" : "1;31", part));
    excerpt(finding);
    paragraph(finding.message);
    if (!finding.seen.empty()) paragraph("(" + finding.seen + ")");
  }

  void table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
    }
    for (const auto& row : rows) {
      std::string text = padded(row[0], widths[0]);
      for (std::size_t i = 1; i < row.size(); ++i) text.append("  ").append(padded_left(row[i], widths[i]));
      line(&row == &rows.front() ? paint("1", text) : text);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  std::size_t width_;
  bool colour_;
};

std::string ratio_text(double value) {
  return value == 0 ? "-" : fmt::format("{:.1f}", value);
}

void counts_table(const std::vector<KernelCounts>& kernels, TextPage& page) {
  const bool counted =
      std::ranges::any_of(kernels, [](const KernelCounts& kernel) { return !kernel.counters.empty(); });
  std::vector<std::vector<std::string>> rows{{"kernel", "launches", "blocks x threads"}};
  if (counted) {
    for (const char* name : {"sectors/load", "sectors/store", "bank conflicts", "active lanes"})
      rows.front().emplace_back(name);
  }
  for (const KernelCounts& kernel : kernels) {
    rows.push_back({cut_to(visible_line(kernel.kernel), kWidestName), grouped(kernel.launches),
                    kernel.shape + (kernel.same_shape ? "" : " ...")});
    if (!counted) continue;
    rows.back().push_back(ratio_text(kernel.sectors_per_load()));
    rows.back().push_back(ratio_text(kernel.sectors_per_store()));
    rows.back().push_back(grouped(static_cast<unsigned long long>(kernel.bank_conflicts())));
    rows.back().push_back(ratio_text(kernel.active_lanes()));
  }
  page.line({});
  page.table(rows);
  if (!counted) return;
  page.paragraph(
      "sectors: 32-byte pieces that one load or store of a warp touches; 4 if its 32 threads access 32 "
      "adjacent 4-byte values, 32 if each accesses another piece. active lanes: active threads per warp, of "
      "32.",
      0);
  for (const KernelCounts& kernel : kernels) {
    const std::vector<Hint> hints = hints_for(kernel, kMostHints);
    if (hints.empty()) continue;
    page.line({});
    page.line(page.paint("1", fmt::format("what slows {}", visible_line(kernel.kernel))));
    for (const Hint& hint : hints)
      page.paragraph(fmt::format("{}:{}: {}", hint.file, hint.line, hint.message));
  }
}

void heading(const Simulation& simulation, TextPage& page) {
  const auto other = std::ranges::count_if(
      simulation.runs, [](const RunSummary& run) { return run.mode.checking && run.mode.schedule != 0; });
  const bool counting =
      std::ranges::any_of(simulation.runs, [](const RunSummary& run) { return !run.mode.checking; });
  std::string runs = "-O0 in order";
  if (other > 0) runs += fmt::format(", in {} other order{}", other, other == 1 ? "" : "s");
  if (counting) runs += ", -O2";
  page.line({});
  page.paragraph(fmt::format("warpmark simulate: {} run{} ({}) in {:.1f} s", simulation.runs.size(),
                             simulation.runs.size() == 1 ? "" : "s", runs, simulation.seconds),
                 0);
}

}  // namespace

std::string to_text(const Simulation& simulation, const ConsoleStyle& style) {
  TextPage page(style);
  heading(simulation, page);
  std::vector<const ShownFinding*> leaks;
  for (std::size_t i = 0; i < std::min(simulation.findings.size(), kMostShown); ++i) {
    const ShownFinding& finding = simulation.findings[i];
    if (finding.kind == CauseKind::leak) {
      leaks.push_back(&finding);
    } else {
      page.finding(finding);
    }
  }
  page.leaks(leaks);
  if (simulation.findings.size() > kMostShown)
    page.paragraph(
        fmt::format("... and {} more; --json FILE has them all", simulation.findings.size() - kMostShown), 0);
  if (const auto kernels = counts_by_kernel(simulation.launches); !kernels.empty()) {
    counts_table(kernels, page);
  } else {
    page.line({});
    page.line("no kernel was launched");
  }
  for (const std::string& remark : simulation.remarks) page.paragraph(remark, 0);
  const auto notes = std::ranges::count(simulation.findings, true, &ShownFinding::note);
  const auto errors = static_cast<std::ptrdiff_t>(simulation.findings.size()) - notes;
  page.line({});
  const std::string verdict = fmt::format(
      "{}{}",
      errors == 0 ? std::string("no findings") : counted(static_cast<double>(errors), "finding", "findings"),
      notes == 0 ? std::string() : ", " + counted(static_cast<double>(notes), "note", "notes"));
  page.line(page.paint(errors == 0 ? "1;32" : "1;31", verdict));
  return page.take();
}

std::string to_text(const Unusable& unusable, const ConsoleStyle& style) {
  TextPage page(style);
  if (!unusable.message.empty()) page.line("warpmark simulate: " + visible(unusable.message));
  for (const Cause& cause : unusable.causes) {
    ShownFinding finding;
    finding.kind = cause.kind;
    finding.file = cause.file;
    finding.line = cause.line;
    finding.message = cause.message;
    finding.excerpt = cause.excerpt;
    page.finding(finding);
  }
  return page.take();
}

}  // namespace warpmark::program_analysis
