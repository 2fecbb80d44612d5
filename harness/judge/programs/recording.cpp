#include "harness/judge/programs/recording.h"

#include <algorithm>

#include "harness/assignments/assignment.h"
#include "harness/judge/programs/expected_outputs.h"

namespace warpmark::judge {

Result<std::map<std::filesystem::path, std::string>> recorded_outputs(const Installation& installation,
                                                                      const Rubric& rubric,
                                                                      const std::filesystem::path& cache,
                                                                      bool with_secret) try {
  std::map<std::filesystem::path, std::string> outputs;
  const program::Spec& spec = *rubric.program;
  const Engines engines = find_engines(installation, kEngineLimit);
  if (!engines.has(Engine::simulator)) return fail(engines.missing.at(Engine::simulator).message);
  const CaseSettings settings{installation, spec, rubric.home.folder};
  const ProgramBuilder builder(installation, rubric, engines, cache);
  ExpectedOutputs expected(settings, rubric, builder);
  for (const VersionRule& version : rubric.versions) {
    if (version.reference_only) continue;
    for (const program::Case& one : spec.cases) {
      if (one.secret && !with_secret) continue;
      for (const program::Output& output : one.outputs) {
        if (output.expected.empty())
          outputs[recorded_place(version.name, one, output)] = expected.of(version, one, output);
      }
    }
  }
  return outputs;
} catch (const AssignmentFault& fault) {
  return fail(fault.what());
}

}  // namespace warpmark::judge
