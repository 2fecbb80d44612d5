#include "harness/class/alike/class_alike.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "harness/base/file.h"
#include "harness/class/alike/alike.h"
#include "reports/class/pages.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostShown = 100;  // maximum number of similar pairs on the HTML page

std::string text_of(const fs::path& file) {
  auto text = read_file(file);
  return text ? std::move(*text) : std::string();
}

}  // namespace

std::vector<Likeness> alike_in_class(const TakenClass& taken, const fs::path& submissions,
                                     const judge::Rubric& rubric) {
  std::vector<Likeness> found;
  for (const judge::VersionRule& version : rubric.versions) {
    if (version.given) continue;
    const std::string name = version.file();
    Fingerprints known;
    known.merge(fingerprints_of(stub_of(rubric.home, name).value_or("")));
    known.merge(fingerprints_of(text_of(rubric.home.reference / name)));
    std::vector<Authored> texts;
    for (const Taken& student : taken.students) {
      if (!student.content.empty()) texts.push_back({student.id, text_of(submissions / student.id / name)});
    }
    for (Likeness& each : alike_in(version.name, texts, known)) found.push_back(std::move(each));
  }
  std::ranges::stable_sort(found, std::greater<>{}, &Likeness::shared);
  return found;
}

void write_alike(const fs::path& out, const std::vector<Likeness>& alike) {
  const fs::path page = out / "alike.html";
  if (alike.empty()) {
    std::error_code ignored;
    fs::remove(page, ignored);
    return;
  }
  std::vector<LikePair> pairs;
  for (std::size_t i = 0; i < std::min(alike.size(), kMostShown); ++i) {
    const auto text = [&](const std::string& id) {
      const std::string kernels = text_of(out / "submissions" / id / (alike[i].version + ".cu"));
      return kernels.empty() ? text_of(out / "submissions" / id / (alike[i].version + ".cpp")) : kernels;
    };
    pairs.push_back({alike[i], text(alike[i].one), text(alike[i].other)});
  }
  if (auto written = write_file(page, alike_to_html(pairs, alike.size())); !written)
    throw std::runtime_error(written.error().message);
}

}  // namespace warpmark::classroom
