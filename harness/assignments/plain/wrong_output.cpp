#include "harness/assignments/plain/wrong_output.h"

#include <algorithm>
#include <iterator>

namespace warpmark::plain::look {

Output first_wrong_output(const Trial& trial) {
  const Specimen& specimen = *trial.specimen;
  Output output{trial, trial.wrong.front().buffer, {}, {}, {}};
  for (const Cell& cell : specimen.outputs()) {
    if (cell.buffer != output.buffer || cell.number != output.size()) continue;
    output.expected.push_back(specimen.value(specimen.expected(), cell));
    output.actual.push_back(specimen.value(trial.actual, cell));
  }
  std::ranges::copy_if(trial.wrong, std::back_inserter(output.wrong),
                       [&](const Cell& cell) { return cell.buffer == output.buffer; });
  if (output.size() != specimen.numbers(output.buffer)) output.expected.clear(), output.actual.clear();
  return output;
}

std::vector<const Trial*> by_survey(const Laboratory& laboratory) {
  std::vector<const Trial*> all{&laboratory.small()};
  for (const Trial& trial : laboratory.trials()) {
    if (&trial != all.front()) all.push_back(&trial);
  }
  return all;
}

}  // namespace warpmark::plain::look
