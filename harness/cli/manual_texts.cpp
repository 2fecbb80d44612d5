// The prose of the manual. Options are described where they are defined.
#include <algorithm>

#include "harness/cli/manual.h"

namespace warpmark::cli {
namespace {

const std::vector<ManualText>& texts() {
  static const std::vector<ManualText> all{
      {"",
       {"Grades CUDA coursework: builds a student's kernels, runs them on a GPU or, where there is none, on "
        "a simulator, "
        "checks the answers, looks for races and other mistakes, demands a speedup over the naive kernel, "
        "and writes a "
        "report that says what is wrong and where.",
        "In a clone, the script ./warpmark is called instead: it installs what is missing and builds what is "
        "stale before it runs the command. An installation has the program warpmark."},
       {{"warpmark doctor", "Look at this machine: what can be graded here, and what disturbs."},
        {"warpmark new mine --assignment reduction", "Begin a submission."},
        {"warpmark grade mine", "Grade it."},
        {"warpmark class submissions.zip --out reduction-2026", "Grade a whole class."}}},
      {"grade",
       {"Grades one submission: a folder with a .cu file for each version of an assignment. Prints a table "
        "of checks, then "
        "each failure with its file, line, expected and actual value, and the command that shows it again.",
        "Writes grade.json (everything that is known), index.html (for a person) and junit.xml (for CI "
        "servers). Without "
        "a GPU the checks of speed stay open; their points are shown beside the score and are not lost.",
        "Inputs are drawn anew for each grade. A failure names its seed; with --seed, --size and --type it "
        "comes again."},
       {{"warpmark grade mine", "Grade everything that the folder holds."},
        {"warpmark grade mine --only '*v05*'", "Only the version whose name contains v05."},
        {"warpmark grade mine --only '*.correct' --size 1023 --type int", "One input size and value type."},
        {"warpmark grade mine --data train.arff test.arff --k 3",
         "Nearest neighbours, on files of your own."},
        {"warpmark grade . --ci github --out warpmark-out/ci", "In a job of GitHub Actions."}}},
      {"data",
       {"Writes train.arff and test.arff for an assignment that takes data files: rows scattered around a "
        "centre for each class. The same options make the same files everywhere."},
       {{"warpmark data knn --out /tmp/rows --rows 100000 --dims 16 --queries 1000",
         "Files for warpmark grade mine --data /tmp/rows/train.arff /tmp/rows/test.arff."}}},
      {"new",
       {"Copies the template of an assignment into a new folder, with its contract, settings for editors, "
        "and presets for "
        "CMake: cmake --preset student && ctest --preset student grades the folder."},
       {{"warpmark new mine", "Begin the assignment reduction."},
        {"warpmark new mine --assignment sort", "Begin another one."}}},
      {"handout",
       {"Writes what students get of an assignment: the template, the contract, the versions that are given, "
        "the rubric, presets for CMake that find an installed Warpmark, settings for editors, a container, "
        "and workflows for GitHub and GitLab. It holds no solution, no source of Warpmark and no secret: "
        "inputs are drawn by whoever grades.",
        "With --package, CI jobs and the container install that package before they grade; without it they "
        "take the address in the variable WARPMARK_PACKAGE.",
        "With --for gradescope it writes an autograder: a zip with setup.sh, run_autograder and the package "
        "or its address. Upload it as it is."},
       {{"warpmark handout course", "The folder that students clone, for the assignment reduction."},
        {"warpmark handout course --assignment knn --package warpmark_" WARPMARK_VERSION "_amd64.deb",
         "Another assignment; the package lies in the folder."},
        {"warpmark handout autograder.zip --for gradescope --package https://example.edu/warpmark.deb",
         "The autograder, which fetches the package."}}},
      {"class",
       {"Grades many submissions, as many at a time as there are cores, and writes a page for each student, "
        "a page for the "
        "class, and files for learning platforms. What cannot be understood is listed and never guessed.",
        "Each grade is kept in a journal before it is shown: a run that was interrupted goes on with "
        "--resume. A second "
        "run grades only what has changed."},
       {{"warpmark class submissions.zip --roster students.csv --out reduction-2026",
         "Grade an export of a platform."},
        {"warpmark class --out reduction-2026 --resume", "Go on after an interruption."},
        {"warpmark class --out reduction-2026 --regrade --rubric new.toml",
         "Show what another rubric would change."}}},
      {"export",
       {"Writes what learning platforms import, of one grade or of a class. Canvas's and Moodle's own files "
        "get one column "
        "filled, and nothing else in them changes."},
       {{"warpmark export reduction-2026 --format canvas --into gradebook.csv",
         "Fill the gradebook that Canvas exported."},
        {"warpmark export warpmark-out/mine --format gradescope", "results.json of one grade."}}},
      {"assignments",
       {"Lists the assignments that can be graded here: how many versions are to be written, how many are "
        "given, the points, and how many of them need a GPU. With a name: every version of that assignment "
        "with its checks, and what it needs beside a compiler."},
       {{"warpmark assignments", "All of them."},
        {"warpmark assignments reduction", "The versions of reduction."}}},
      {"report",
       {"Makes the reports of a grade again. Nothing is graded or built: everything is in grade.json."},
       {{"warpmark report grade.json --format text", "Show a grade on the terminal."},
        {"warpmark report grade.json --check reduction.v05_tree_modulo.correct", "Show one check alone."}}},
      {"doctor",
       {"Looks at the machine: compilers, GPU, driver, clocks, other processes, memory, the box that "
        "submissions run in. A "
        "line each with PASS, CAUTION or FAIL, what was found, and the command that repairs it."},
       {{"warpmark doctor", "Before the first grade on a machine, and when times look odd."}}},
      {"calibrate",
       {"Measures the reference on the GPU of this machine and writes the thresholds that `fast` asks for on "
        "GPUs of this "
        "model. Nothing else should use the GPU meanwhile."},
       {{"warpmark calibrate --assignment reduction", "Some minutes on a quiet machine."}}},
      {"ladder",
       {"Times every version beside the others, over many sizes, and writes a table and a page.",
        "With --evaluation the page sets one version of each way beside the others: one core, threads, MPI, "
        "a "
        "GPU, several. What this machine lacks is named there."},
       {{"warpmark ladder mine --evaluation", "The page to hand in, of your own versions."},
        {"warpmark ladder --assignment matmul --from 10 --to 24", "The course's solutions."},
        {"warpmark ladder --readme reports/ladder/matmul.json",
         "Puts the table into the README of matmul."}}},
      {"simulate",
       {"Builds a CUDA program that has a main of its own, runs it on the simulator, and tells what it does "
        "wrong: races, "
        "accesses out of bounds, reads of uninitialised memory, leaks, unchecked errors; then what each "
        "kernel costs, in "
        "Nsight Compute's words, and the lines that make it slow. Neither a GPU nor the CUDA toolkit is "
        "needed."},
       {{"warpmark simulate sum.cu -- 1000 <input.txt", "What follows -- is the program's own."},
        {"warpmark simulate main.cu kernels.cu -I include", "A program of several files."}}},
      {"stubs",
       {"Cuts the students' template from the reference at its marked regions. Run it after every change of "
        "a reference."},
       {{"warpmark stubs --check", "In CI: fails where a template is not in step."}}},
  };
  return all;
}

}  // namespace

const ManualText* manual_text_of(std::string_view command) {
  const auto found = std::ranges::find(texts(), command, &ManualText::command);
  return found == texts().end() ? nullptr : &*found;
}

}  // namespace warpmark::cli
