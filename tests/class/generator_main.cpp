// class_generator COUNT FOLDER [SEED]: writes a class and FOLDER/expected.json;
// class_generator --students COUNT FOLDER [SEED]: writes a class of distinct students, to grade it on several
// engines and compare the results by engines_table --classes; class_generator --compare FOLDER OUT: compares
// what `warpmark class` made of it, verdict by verdict.
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/model/class_result.h"
#include "tests/class/generator.h"

namespace {

namespace fs = std::filesystem;
using namespace warpmark;

int complain(const std::string& message) {
  fmt::print(stderr, "class_generator: {}\n", message);
  return 2;
}

int generate(std::size_t count, const fs::path& folder, std::uint64_t seed) {
  const auto made = generate_class(folder, count, seed);
  if (!made) return complain(made.error().message);
  const nlohmann::json facts{{"count", count}, {"seed", seed}};
  if (auto written = write_file(folder / "expected.json", facts.dump() + "\n"); !written)
    return complain(written.error().message);
  fmt::print("{} students in {}; rubric: {}\n", count, (folder / "students").string(),
             (folder / "rubric.toml").string());
  return 0;
}

int generate_distinct(std::size_t count, const fs::path& folder, std::uint64_t seed) {
  if (const auto made = generate_students(folder, count, seed); !made) return complain(made.error().message);
  fmt::print("{} students in {}; rubric: {}\n", count, (folder / "students").string(),
             (folder / "rubric.toml").string());
  return 0;
}

int compare(const fs::path& folder, const fs::path& out) {
  const auto facts = nlohmann::json::parse(read_file(folder / "expected.json").value_or(""), nullptr, false);
  const auto result = class_from_json(read_file(out / "class.json").value_or(""));
  if (facts.is_discarded()) return complain("there is no expected.json in " + folder.string());
  if (!result) return complain(result.error().message);
  const TemporaryFolder scratch;  // the same class again, for what it must get
  const auto made = generate_class(scratch.path(), facts.at("count"), facts.at("seed"));
  if (!made) return complain(made.error().message);
  std::size_t versions = 0;
  std::size_t wrong = 0;
  for (const StudentResult& student : result->students) {
    const auto expected = made->students.find(student.person.name);
    if (expected == made->students.end()) return complain(student.person.name + " is not of this class");
    const auto grade = grade_from_json(read_file(out / student.grade).value_or(""));
    versions += expected->second.size();
    const auto found =
        grade ? differences(expected->second, *grade) : std::vector<std::string>{"has no grade"};
    wrong += found.size();
    for (const std::string& line : found) fmt::print("{}: {}\n", student.person.name, line);
  }
  fmt::print("{} students, {} versions, {} verdicts other than known, {} grades lost\n",
             result->students.size(), versions, wrong, made->students.size() - result->students.size());
  return wrong == 0 && result->students.size() == made->students.size() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--compare") == 0) return compare(argv[2], argv[3]);
  if (argc < 3)
    return complain("COUNT FOLDER [SEED], --students COUNT FOLDER [SEED], or --compare FOLDER OUT");
  if (argc >= 4 && std::strcmp(argv[1], "--students") == 0)
    return generate_distinct(std::strtoul(argv[2], nullptr, 10), argv[3],
                             argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1);
  return generate(std::strtoul(argv[1], nullptr, 10), argv[2],
                  argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
}
