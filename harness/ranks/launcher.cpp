#include "harness/ranks/launcher.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/ranks/board.h"
#include "harness/ranks/protocol.h"
#include "harness/ranks/watch.h"
#include "harness/wire/channel.h"

namespace warpmark::ranks {
namespace {

using wire::Channel;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookEvery{200};
// Delay between the end of the first rank and the diagnosis, in which other ranks may end, too.
constexpr std::chrono::milliseconds kMomentOfEnding{50};
// When a call of MPI code is about to time out, each rank reports where it is. The launcher waits this long
// after the first report for those of the other ranks.
constexpr std::chrono::milliseconds kMomentOfLooking{300};

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

UniqueFd listen_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s", path.c_str());
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket.get(), kMostRanks) != 0) {
    return {};
  }
  return socket;
}

// Returns the process at the other end of the channel; 0 if unknown.
pid_t peer_of(const Channel& channel) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(channel.fd(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}

// Returns the processor time, in clock ticks, of all threads but the first of the process's first child.
std::uint64_t time_of_other_threads(pid_t parent) {
  namespace fs = std::filesystem;
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", parent));
  pid_t child = 0;
  if (parent <= 0 || !(children >> child)) return 0;
  const std::string first = std::to_string(child);
  std::uint64_t time = 0;
  std::error_code error;
  for (fs::directory_iterator task(fmt::format("/proc/{}/task", child), error), end; !error && task != end;
       task.increment(error)) {
    if (task->path().filename() == first) continue;
    std::ifstream file(task->path() / "stat");
    std::string text;
    std::getline(file, text);
    // Behind the thread's name in parentheses: its state, ten further fields, and its times.
    std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    std::uint64_t user = 0;
    std::uint64_t system = 0;
    if (fields >> user >> system) time += user + system;
  }
  return time;
}

// Last report of a dying worker process, which it wrote to shared memory.
struct Words {
  std::string finding;
  std::uint64_t frame = 0;  // code address of the innermost stack frame in the dying process; 0: unknown
};

Words words_in(const SharedMemory& file) {
  std::array<char, 4096> buffer{};
  Words words;
  const ssize_t got = ::pread(file.fd(), buffer.data(), buffer.size(), 0);
  std::string_view said(buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!said.empty()) {
    const std::size_t end = std::min(said.find('\n'), said.size());
    const auto line = wire::decode_journal_line(said.substr(0, end));
    said.remove_prefix(std::min(end + 1, said.size()));
    if (!line) break;
    if (const auto* finding = std::get_if<wire::Finding>(&*line)) words.finding = finding->message;
    if (const auto* where = std::get_if<wire::Frames>(&*line); where != nullptr && !where->frames.empty())
      words.frame = where->frames.front();
  }
  return words;
}

class Launcher {
 public:
  explicit Launcher(const MpiJob& job)
      : job_(job), count_(static_cast<std::size_t>(job.ranks)), board_file_(sizeof(Board)) {
    void* mapped = ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, board_file_.fd(), 0);
    if (mapped != MAP_FAILED) board_ = static_cast<Board*>(mapped);
    for (std::size_t i = 0; i < count_; ++i) words_.emplace_back(0);
    ranks_.resize(count_);
    keepers_.resize(count_);
    for (std::size_t i = 1; i < count_; ++i) {
      auto [first, other] = wire::make_socket_pair();
      to_peers_.push_back(std::move(first));
      of_peers_.push_back(std::move(other));
    }
  }

  int run() {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child, nullptr);
    const UniqueFd children(::signalfd(-1, &child, SFD_CLOEXEC));
    const std::string socket = job_.folder / kSocketName;
    const UniqueFd listener = listen_at(socket);
    if (!listener || board_ == nullptr) {
      std::fprintf(stderr, "cannot listen at %s: %s\n", socket.c_str(), std::strerror(errno));
      return 1;
    }
    if (!start(socket)) return 1;
    for (;;) {
      std::vector<pollfd> watched{{listener.get(), POLLIN, 0}, {children.get(), POLLIN, 0}};
      for (const auto& rank : ranks_) watched.push_back({rank ? rank->fd() : -1, POLLIN, 0});
      ::poll(watched.data(), watched.size(), static_cast<int>(kLookEvery.count()));
      const bool ended = std::any_of(watched.begin() + 2, watched.end(),
                                     [](const pollfd& rank) { return rank.revents != 0; });
      if (ended) return tell(how_they_ended());
      if (watched[0].revents != 0) {
        if (!greet(listener.get())) return 1;
        if (std::ranges::all_of(ranks_, [](const auto& rank) { return rank.has_value(); }))
          let_starter_start_no_more();
      }
      // The launcher fails if mpirun ends although not all ranks have connected or none has ended.
      if (watched[1].revents != 0 && ::waitpid(starter_, nullptr, WNOHANG) == starter_) return 1;
      if (auto failure = deadlock_.look(look(), Clock::now())) return tell(*failure);
      if (auto failure = time_is_up_now()) return tell(*failure);
    }
  }

 private:
  // Starts mpirun. In each rank mpirun starts this program as the rank's keeper (rank.h), with the worker's
  // command line.
  bool start(const std::string& socket) {
    std::vector<std::string> all = job_.starter;
    all.insert(all.end(), {"/proc/self/exe", "rank", socket, job_.processors});
    std::array<char, 4096> self{};
    if (::readlink("/proc/self/exe", self.data(), self.size() - 1) <= 0) return false;
    all[job_.starter.size()] = self.data();
    all.insert(all.end(), job_.worker.begin(), job_.worker.end());
    std::vector<char*> arguments;
    for (std::string& each : all) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    starter_ = ::fork();
    if (starter_ != 0) return starter_ > 0;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execv(arguments[0], arguments.data());
    std::fprintf(stderr, "cannot start %s: %s\n", arguments[0], std::strerror(errno));
    ::_exit(127);
  }

  // A rank can ask mpirun for further processes (PMIx), which no system call filter would hold. From here on
  // mpirun can start none, where it is not root. srun starts threads for each message, and nothing else here.
  void let_starter_start_no_more() const {
    if (std::filesystem::path(job_.starter.front()).filename() == "srun") return;
    constexpr rlimit kNone{0, 0};
    static_cast<void>(::prlimit(starter_, RLIMIT_NPROC, &kNone, nullptr));
  }

  // Accepts the connection of a rank's keeper and sends the rank's file descriptors. Returns false if the
  // peer is not a rank that is still missing.
  bool greet(int listener) {
    Channel channel(UniqueFd(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)));
    const auto said = channel.receive(Clock::now() + std::chrono::seconds(10));
    const auto rank = said ? number_in(said->bytes) : std::nullopt;
    if (!rank || *rank < 0 || *rank >= job_.ranks || ranks_[static_cast<std::size_t>(*rank)]) return false;
    const auto index = static_cast<std::size_t>(*rank);
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    std::vector<int> fds{index == 0 ? kJudge : of_peers_[index - 1].get(), words_[index].fd(),
                         job_.devices ? kDevice + *rank : nothing.get(), board_file_.fd()};
    if (index == 0) {
      for (const UniqueFd& peer : to_peers_) fds.push_back(peer.get());
    }
    for (std::size_t at = 0; at < fds.size(); at += wire::kDescriptorLimit) {
      const std::size_t end = std::min(fds.size(), at + wire::kDescriptorLimit);
      const std::vector<int> some(fds.begin() + static_cast<std::ptrdiff_t>(at),
                                  fds.begin() + static_cast<std::ptrdiff_t>(end));
      if (!channel.send(end == fds.size() ? "last" : "more", some, Channel::kNoDeadline)) return false;
    }
    // Closes this process's copies of the rank's descriptors, so that the peers see end of file when the
    // rank is gone.
    if (index == 0) {
      ::close(kJudge);
      to_peers_.clear();
    } else {
      of_peers_[index - 1].reset();
    }
    if (job_.devices) ::close(kDevice + *rank);
    keepers_[index] = peer_of(channel);
    ranks_[index].emplace(std::move(channel));
    return true;
  }

  [[nodiscard]] std::vector<Seen> look() const {
    std::vector<Seen> ranks = look_at(*board_, job_.ranks);
    // Where a rank computes, nobody needs to know what its other threads do.
    const bool computes = std::ranges::any_of(
        ranks, [](const Seen& rank) { return rank.in_version && rank.function == Function::none; });
    for (std::size_t i = 0; i < count_ && !computes; ++i)
      if (ranks[i].in_version) ranks[i].time_of_others = time_of_other_threads(keepers_[i]);
    return ranks;
  }

  // Returns the failure of the rank that ended first: the first with a nonzero status, because the others
  // exit with status 0 when rank 0 ends.
  wire::RanksFailure how_they_ended() {
    ::usleep(std::chrono::microseconds(kMomentOfEnding).count());
    std::optional<std::size_t> first;
    int status = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      pollfd rank{ranks_[i] ? ranks_[i]->fd() : -1, POLLIN, 0};
      if (::poll(&rank, 1, 0) <= 0) continue;
      const auto said = ranks_[i]->receive(Clock::now() + std::chrono::seconds(1));
      const int its = (said ? number_in(said->bytes) : std::nullopt).value_or(SIGKILL);
      if (first && (status != 0 || its == 0)) continue;
      first = i;
      status = its;
    }
    return how_it_ended(first.value_or(0), status);
  }

  wire::RanksFailure how_it_ended(std::size_t index, int status) const {
    const auto rank = static_cast<int>(index);
    const RankState& state = board_->ranks[index];
    const Refusal refusal = state.refusal;
    if (refusal == Refusal::mpi_error || refusal == Refusal::crashed) {
      const auto end = refusal == Refusal::crashed ? wire::RanksEnd::crashed : wire::RanksEnd::mpi_error;
      if (auto differ = different_collectives(look_at(*board_, job_.ranks), end)) return *differ;
    }
    if (refusal != Refusal::none) {
      const std::string text(state.text.data(), ::strnlen(state.text.data(), state.text.size()));
      if (refusal == Refusal::crashed) return ended(rank, job_.ranks, status, text, state.frame);
      return refused(rank, job_.ranks, refusal, text, state.frame);
    }
    const Words words = words_in(words_[index]);
    return ended(rank, job_.ranks, status, words.finding, words.frame);
  }

  // Returns a failure if a worker process has written its position because its call is about to time out.
  std::optional<wire::RanksFailure> time_is_up_now() {
    const bool any = std::ranges::any_of(words_, [](const SharedMemory& file) {
      const Words words = words_in(file);
      return words.finding.empty() && words.frame != 0;
    });
    if (!any) return std::nullopt;
    if (!looking_since_) looking_since_ = Clock::now();
    if (Clock::now() - *looking_since_ < kMomentOfLooking) return std::nullopt;
    std::vector<std::uint64_t> frames;
    for (const SharedMemory& file : words_) frames.push_back(words_in(file).frame);
    const auto ranks = look_at(*board_, job_.ranks);
    if (auto differ = different_collectives(ranks, wire::RanksEnd::timed_out)) return differ;
    return time_is_up(ranks, frames);
  }

  int tell(wire::RanksFailure failure) const {
    failure.histories = histories_of(look_at(*board_, job_.ranks), failure.end);
    const std::string line = wire::encode(wire::JournalLine(failure)) + "\n";
    static_cast<void>(write_all(kLastWords, line));
    return 1;
  }

  const MpiJob& job_;
  std::size_t count_;
  SharedMemory board_file_;
  Board* board_ = nullptr;
  std::vector<SharedMemory> words_;
  std::vector<UniqueFd> to_peers_;  // rank 0's sockets to rank 1, 2, ...
  std::vector<UniqueFd> of_peers_;
  std::vector<std::optional<Channel>> ranks_;
  std::vector<pid_t> keepers_;
  pid_t starter_ = -1;
  DeadlockWatch deadlock_;
  std::optional<Clock::time_point> looking_since_;
};

}  // namespace

int launch(const MpiJob& job) {
  return Launcher(job).run();
}

}  // namespace warpmark::ranks
