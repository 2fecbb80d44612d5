// warpmark-ranks run RANKS DEVICES PROCESSORS FOLDER STARTER... -- WORKER...   runs the launcher (launcher.h)
// warpmark-ranks rank SOCKET PROCESSORS WORKER...                              runs a rank's keeper process
// (rank.h)
#include <cstdlib>
#include <string_view>

#include <sys/prctl.h>
#include <unistd.h>

#include "harness/ranks/launcher.h"
#include "harness/ranks/rank.h"

int main(int argc, char** argv) {
  namespace ranks = warpmark::ranks;
  // The ranks, which run as the same user, must not trace this process or open its descriptors.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (argc >= 5 && std::string_view(argv[1]) == "rank") return ranks::keep_rank(argv[2], argv[3], argv + 4);
  if (argc < 7 || std::string_view(argv[1]) != "run") return 2;
  ranks::MpiJob job;
  job.ranks = std::atoi(argv[2]);
  job.devices = std::atoi(argv[3]) != 0;
  job.processors = argv[4];
  job.folder = argv[5];
  int at = 6;
  for (; at < argc && std::string_view(argv[at]) != "--"; ++at) job.starter.emplace_back(argv[at]);
  for (++at; at < argc; ++at) job.worker.emplace_back(argv[at]);
  if (job.ranks < 1 || job.starter.empty() || job.worker.empty()) return 2;
  ::_exit(ranks::launch(job));
}
