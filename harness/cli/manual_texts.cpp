// Descriptions and examples for the manual pages of `warpmark`'s subcommands. The texts of options are not
// here but where each command defines them.
#include <algorithm>

#include "harness/cli/manual.h"

namespace warpmark::cli {
namespace {

const std::vector<ManualText>& texts() {
  static const std::vector<ManualText> all{
      {"",
       {"Grades CUDA coursework: builds a student's kernels, runs them on a GPU or on a simulator, checks "
        "the answers, detects races and other mistakes, requires a speedup over the naive kernel, and writes "
        "a report that shows each mistake and its line.",
        "In a clone use the script ./warpmark instead: it installs missing packages and builds outdated "
        "programs before it runs the command. An installation has the program warpmark."},
       {{"warpmark doctor", "Check this machine: what can be graded here, and what disturbs grading."},
        {"warpmark new mine --assignment reduction", "Start a submission."},
        {"warpmark grade mine", "Grade it."},
        {"warpmark class submissions.zip --out reduction-2026", "Grade a whole class."}}},
      {"grade",
       {"Grades one submission: a folder with a .cu file for each version of an assignment. Prints a table "
        "of checks, then each failure with its file, line, expected and actual value, and the command that "
        "reproduces it.",
        "Writes grade.json (the complete result), index.html (for people) and junit.xml (for CI servers). "
        "Without a GPU the checks of speed stay open; their points are shown beside the score and are not "
        "lost.",
        "Each grade uses new random inputs. A failure names its seed; --seed, --size and --type reproduce "
        "it."},
       {{"warpmark grade mine", "Grade the whole folder."},
        {"warpmark grade mine --only '*v05*'", "Only the version whose name contains v05."},
        {"warpmark grade mine --only '*.correct' --size 1023 --type int", "One input size and value type."},
        {"warpmark grade mine --data train.arff test.arff --k 3", "Nearest neighbours, on your own files."},
        {"warpmark grade mine --on ssh:gpu01", "What needs a GPU runs on another machine."},
        {"warpmark grade . --ci github --out warpmark-out/ci", "In a job of GitHub Actions."}}},
      {"data",
       {"Writes train.arff and test.arff for an assignment that takes data files: the rows of each class are "
        "scattered around a centre. The same options make the same files on every machine."},
       {{"warpmark data knn --out /tmp/rows --rows 100000 --dims 16 --queries 1000",
         "Files for warpmark grade mine --data /tmp/rows/train.arff /tmp/rows/test.arff."}}},
      {"new",
       {"Copies the template of an assignment into a new folder, with its contract, settings for editors, "
        "and presets for "
        "CMake: cmake --preset student && ctest --preset student grades the folder."},
       {{"warpmark new mine", "Start the assignment reduction."},
        {"warpmark new mine --assignment sort", "Start another assignment."}}},
      {"handout",
       {"Writes the files that students get: the template, the contract, the given versions, the rubric, "
        "CMake presets that find an installed Warpmark, editor settings, a container, and workflows for "
        "GitHub and GitLab. A handout contains no solution, no source of Warpmark and no secret: inputs are "
        "drawn when a submission is graded.",
        "With --package, CI jobs and the container install that package before they grade; without it they "
        "use the address in the variable WARPMARK_PACKAGE.",
        "With --for gradescope it writes an autograder: a zip with setup.sh, run_autograder and the package "
        "or its address. Upload it as it is."},
       {{"warpmark handout course", "The folder that students clone, for the assignment reduction."},
        {"warpmark handout course --assignment knn --package warpmark_" WARPMARK_VERSION "_amd64.deb",
         "Another assignment, with the package in the folder."},
        {"warpmark handout autograder.zip --for gradescope --package https://example.edu/warpmark.deb",
         "The autograder; it downloads the package."}}},
      {"assignment",
       {"An assignment is a folder, anywhere: assignment.toml (how a version is called, data, sizes, "
        "tolerance, points, "
        "limits), the contract that students include, expected.cpp (the right answer, one function on the "
        "CPU) and "
        "reference/ with the solutions, in which // <solution> and // </solution> mark what students write. "
        "Commands take "
        "the folder where they take an assignment's name; WARPMARK_ASSIGNMENTS lists folders of assignments "
        "that are found "
        "by name.",
        "`assignment new NAME` writes such a folder, which already grades: one version given, one to write. "
        "--like chooses "
        "the shape of its data: vector, matrix, image or scalar; or program, for whole programs as "
        "submissions.",
        "`assignment check` answers whether it is ready for students. It reads and builds everything; grades "
        "the reference, "
        "which must earn full marks, and the template, which must earn nothing; renames the naive version to "
        "each other "
        "version, where it may earn 40 % of the points; and grades mutants: the solutions, changed one small "
        "place at a "
        "time. A mutant that survives shows what no size, check or limit looks at.",
        "A mutant that is as right as the solution is listed in assignment.toml, by its line and its edit: "
        "equivalent = "
        "[{line = \"if (i <= n)\", edit = \"<= to <\"}]. nth = 2 means the second of two equal lines, "
        "version = \"v02\" one "
        "version alone. naive_may_earn = 0.7 in a [[version]] allows the naive version more.",
        "Kinds of change: test (a bounds test dropped: of an if, of ? :, of one side of &&), comparison (< "
        "and <=, > and >=, "
        "== and !=), logic (&& and ||, !), barrier (a barrier, a fence or a synchronisation dropped), "
        "statement (an "
        "assignment or a call dropped), atomic (made a plain operation), early (a return at the begin, a "
        "loop of one round), "
        "buffer (another parameter of the same type), axis (x and y of threadIdx and the like), function "
        "(min and max, shuffles up "
        "and down), constant (one larger or smaller), index (the element before or behind), stride (a loop's "
        "step doubled, or "
        "1), arithmetic (+ and -, a factor dropped, += and =), shift (<< and >>), precision (float for "
        "double), width (int "
        "for size_t or unsigned). Those of width show at sizes above 2^31 alone, and count as out of reach."},
       {{"warpmark assignment new prefix_sum --like vector", "Begin an assignment."},
        {"warpmark assignment check prefix_sum", "Check it, with at most 200 mutants."},
        {"warpmark assignment check prefix_sum --mutants 0 --class 300",
         "All mutants, and the costs of 300 students."},
        {"warpmark assignment check prefix_sum --propose", "Limits of work for versions that have none."},
        {"warpmark assignment check prefix_sum --record",
         "Record the work of the solutions, which students see beside theirs."},
        {"warpmark assignment check prefix_sum --feedback --mutants 40",
         "How often a student's first message names the mistake."}}},
      {"class",
       {"Grades many submissions, one per core at a time, and writes a page for each student, a page for the "
        "class, and files for learning platforms. Files that it cannot assign are listed, never guessed.",
        "Each grade is stored in a journal before it is shown: --resume continues an interrupted run. A "
        "second run grades only what has changed."},
       {{"warpmark class submissions.zip --roster students.csv --out reduction-2026",
         "Grade an export of a platform."},
        {"warpmark class --out reduction-2026 --resume", "Continue after an interruption."},
        {"warpmark class --out reduction-2026 --regrade --rubric new.toml",
         "Show what another rubric would change."}}},
      {"export",
       {"Writes the files that learning platforms import, for one grade or a class. In Canvas's and Moodle's "
        "own files it fills one column and changes nothing else."},
       {{"warpmark export reduction-2026 --format canvas --into gradebook.csv",
         "Fill the gradebook that Canvas exported."},
        {"warpmark export warpmark-out/mine --format gradescope", "results.json of one grade."}}},
      {"assignments",
       {"Lists the assignments that can be graded here: how many versions to write, how many are given, the "
        "points, and how many points need a GPU. With a name: every version of that assignment with its "
        "checks and requirements."},
       {{"warpmark assignments", "All of them."},
        {"warpmark assignments reduction", "The versions of reduction."}}},
      {"report",
       {"Regenerates the reports of a grade from grade.json. Builds and grades nothing."},
       {{"warpmark report grade.json --format text", "Show a grade on the terminal."},
        {"warpmark report grade.json --check reduction.v05_tree_modulo.correct", "Show only one check."}}},
      {"doctor",
       {"Checks the machine: compilers, GPU, driver, clocks, other processes, memory, the box that "
        "submissions run in. Prints one line for each with PASS, CAUTION or FAIL, the finding, and the "
        "command that repairs it."},
       {{"warpmark doctor", "Run it before the first grade on a machine, and when times look wrong."}}},
      {"calibrate",
       {"Measures the reference on this machine's GPU and writes the thresholds of `fast` for this GPU "
        "model. Nothing else should use the GPU meanwhile."},
       {{"warpmark calibrate --assignment reduction", "Takes a few minutes on a quiet machine."},
        {"warpmark calibrate --assignment mine --counts solutions/grade.json",
         "Predict thresholds on GPUs that were not calibrated."}}},
      {"ladder",
       {"Times all versions for many sizes, and writes a table and a page.",
        "With --evaluation the page compares one core, threads, MPI, one GPU and several GPUs. The page "
        "names what this machine lacks."},
       {{"warpmark ladder mine --evaluation", "The page to hand in, with your own versions."},
        {"warpmark ladder --assignment matmul --from 10 --to 24", "The course's solutions."},
        {"warpmark ladder --readme reports/ladder/matmul.json",
         "Puts the table into the README of matmul."}}},
      {"simulate",
       {"Builds a CUDA program with its own main, runs it on the simulator, and reports its mistakes: races, "
        "accesses out of bounds, reads of uninitialised memory, leaks, unchecked errors; then the cost of "
        "each kernel, in Nsight Compute's terms, and its slow lines. Needs neither a GPU nor the CUDA "
        "toolkit."},
       {{"warpmark simulate sum.cu -- 1000 <input.txt", "Arguments after -- go to the program."},
        {"warpmark simulate main.cu kernels.cu -I include", "A program of several files."}}},
      {"run",
       {"Runs a program that warpmark nvcc made on the simulator, with all checks of warpmark simulate: "
        "races, accesses "
        "out of bounds, reads of uninitialised memory, leaks, unchecked errors; then the cost of each "
        "kernel."},
       {{"warpmark run ./app 1000", "What stands behind the program goes to it."},
        {"warpmark run --quick ./app", "One checked run, without counts."}}},
      {"nvcc",
       {"Compiles and links CUDA programs with nvcc's options, for the simulator: they run on a machine "
        "without a GPU. "
        "Device code of several files is linked (-dc, -rdc=true)."},
       {{"warpmark nvcc -O3 -o app main.cu kernels.cu && ./app", "A program, started as any other."},
        {"warpmark nvcc -dc kernels.cu", "An object file for nvcc, g++ or mpicxx to link."}}},
      {"make",
       {"Runs make in an environment where nvcc and CUDA's toolkit are stand-ins, which make programs for "
        "the "
        "simulator. The Makefile is not changed."},
       {{"warpmark make -j4 && ./app", "Build a project, and start its program."}}},
      {"cmake",
       {"Runs cmake in an environment where nvcc and CUDA's toolkit are stand-ins, which make programs for "
        "the "
        "simulator."},
       {{"warpmark cmake -B build && warpmark cmake --build build", "Configure and build a project."}}},
      {"env",
       {"Prints shell commands that set PATH, CUDA_PATH and the like, so that nvcc and CUDA's toolkit are "
        "stand-ins, "
        "which make programs for the simulator."},
       {{"eval \"$(warpmark env)\"", "For this shell; then make, cmake and scripts find nvcc."}}},
      {"stubs",
       {"Cuts the students' template from the reference at its marked regions. Run it after every change of "
        "the reference."},
       {{"warpmark stubs --check", "In CI: fails if a template differs from the reference."}}},
  };
  return all;
}

}  // namespace

const ManualText* manual_text_of(std::string_view command) {
  const auto found = std::ranges::find(texts(), command, &ManualText::command);
  return found == texts().end() ? nullptr : &*found;
}

}  // namespace warpmark::cli
