#include "tests/reports/evidence.h"

namespace warpmark {

void add_evidence(Cause& cause) {
  cause.accesses = {{"thread (0,0,0)", "shared[0]", 31, false, 2, 28},
                    {"thread (1,0,0)", "shared[0]", 29, true, 2, 28}};
  cause.sizes = {{"rows", 3}};
  cause.inputs = {"a(0)"};
  cause.uses = {{"out(0)", "-"}};
  cause.warp_access = WarpAccess{.array = "values",
                                 .block = "block (1,0,0)",
                                 .line = 31,
                                 .writes = true,
                                 .bytes = 4,
                                 .before = 1,
                                 .first = 1,
                                 .elements = 3,
                                 .phase = 64,
                                 .passes = 2,
                                 .number = 32,
                                 .threads = {"(0,0,0)", "(1,0,0)"},
                                 .positions = {0, 2}};
  cause.block_threads = {{0, 15, ThreadState::waits, 31}, {16, 31, ThreadState::returned, 0}};
  cause.rank_calls = {{0, false, 0, {{"MPI_Bcast (root 0)", 12, false}, {"MPI_Recv (rank 1)", 14, true}}},
                      {1, true, 3, {{"MPI_Barrier", 0, false}}}};
}

}  // namespace warpmark
