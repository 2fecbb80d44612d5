// Profiling wrappers of the MPI functions that student code calls: each records the call in shared memory
// (board.h), then calls its PMPI_ function. MPI errors, MPI_Abort and crashes are recorded with the calling
// line.
#include "mpi_side.h"

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>

#include <dlfcn.h>
#include <execinfo.h>
#include <mpi.h>
#include <ucontext.h>
#include <unistd.h>

#include "board.h"

namespace {

using warpmark::ranks::Board;
using warpmark::ranks::Function;
using warpmark::ranks::kFunctionNames;
using warpmark::ranks::RankState;
using warpmark::ranks::Refusal;

// State that this process's MPI rank publishes in shared memory for the launcher; set once, before the
// student's code is loaded.
RankState* mine = nullptr;

// Returns the offset of an address in the library that contains it, as in wire::Finding::frames.
std::uint64_t frame_of(void* address) {
  // Caches the load address per memory page of the call site, because dladdr() is slow and student code
  // calls MPI from few pages.
  static thread_local std::uint64_t page = 0;
  static thread_local std::uint64_t begin = 0;
  const auto number = reinterpret_cast<std::uint64_t>(address);
  if (number >> 12 != page) {
    Dl_info library;
    begin = dladdr(address, &library) != 0 ? reinterpret_cast<std::uint64_t>(library.dli_fbase) : 0;
    page = number >> 12;
  }
  return begin == 0 ? 0 : number - begin - 1;
}

// What a thread is inside of: signal handlers read it, too, so that it must not be allocated at its first
// use.
#define WARPMARK_OF_THREAD [[gnu::tls_model("initial-exec")]] thread_local
WARPMARK_OF_THREAD Function current = Function::none;
WARPMARK_OF_THREAD std::uint64_t current_frame = 0;
// True in the thread that runs the version, which alone decides what its rank waits for: another thread that
// waits in MPI leaves it free to go on.
WARPMARK_OF_THREAD bool runs_version = false;

// Scope guard: during its lifetime, the rank's state in shared memory says which MPI function the thread that
// runs the version is inside. Nested calls made by MPI itself are ignored.
class Inside {
 public:
  Inside(Function function, int peer, void* caller) : outermost_(current == Function::none) {
    if (!outermost_) return;
    current = function;
    current_frame = frame_of(caller);
    if (runs_version) {
      mine->peer = peer;
      mine->frame = current_frame;
      note(function, peer);
    }
    mine->entries.fetch_add(1);
    if (runs_version) mine->function = function;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    if (!outermost_) return;
    current = Function::none;
    if (runs_version) mine->function = Function::none;
  }

 private:
  static void note(Function function, int peer) {
    const std::uint64_t number = mine->made.load();
    auto& noted = mine->last_calls[number % warpmark::ranks::kMostCalls];
    noted.function = function;
    noted.peer = peer;
    noted.frame = current_frame;
    mine->made = number + 1;  // last, so that nobody reads what is not there yet
  }

  bool outermost_;
};

[[noreturn]] void end(Refusal refusal, const char* text) {
  std::snprintf(mine->text.data(), mine->text.size(), "%s", text);
  mine->refusal = refusal;
  _exit(1);
}

[[noreturn]] void refuse(const char* function, void* caller) {
  mine->frame = frame_of(caller);
  char text[128];
  std::snprintf(text, sizeof text, "called %s, which a version must not call: remove it", function);
  end(Refusal::mpi_error, text);
}

// Returns true for system libraries, whose frames are skipped to find the submission's.
bool is_of_the_system(const char* library) {
  for (const char* part : {"libmpi", "libopen-", "openmpi", "libc.so", "libm.so", "libstdc++", "libgcc",
                           "libpthread", "ld-linux", "libgomp", "libpmix", "libuc"}) {
    if (std::strstr(library, part) != nullptr) return true;
  }
  return false;
}

std::uint64_t interrupted_at([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

// Returns the position of a crash in the student's library: the innermost stack frame that belongs neither to
// a system library nor to Warpmark's MPI library.
std::uint64_t place_of_crash(std::uint64_t at) {
  Dl_info own;
  Dl_info library;
  void* frames[64];
  const int count = backtrace(frames, 64);
  if (dladdr(reinterpret_cast<void*>(&place_of_crash), &own) == 0) return 0;
  for (int i = 0; i < count; ++i) {
    if (dladdr(frames[i], &library) == 0 || library.dli_fbase == own.dli_fbase ||
        is_of_the_system(library.dli_fname))
      continue;
    // A return address is decremented, so that it lies within the call; the interrupted address of a crash is
    // not one.
    const auto number = reinterpret_cast<std::uint64_t>(frames[i]);
    return number - reinterpret_cast<std::uint64_t>(library.dli_fbase) - (number == at ? 0 : 1);
  }
  return 0;
}

// Signal handler: records the kind of crash, then lets the signal end the process.
void crashed(int signal, siginfo_t* info, void* context) {
  constexpr std::uint64_t kNullReach = 0x10000;
  const bool null = reinterpret_cast<std::uint64_t>(info->si_addr) < kNullReach;
  const char* what = signal != SIGSEGV && signal != SIGBUS ? ""
                     : null                                ? "a null pointer was followed"
                            : "an index is out of range, or a pointer is used after free";
  std::snprintf(mine->text.data(), mine->text.size(), "%s", what);
  mine->frame = current == Function::none ? place_of_crash(interrupted_at(context)) : current_frame;
  mine->refusal = Refusal::crashed;
  std::raise(signal);  // SA_RESETHAND has restored the default action
}

void report_crashes() {
  alignas(16) static char stack[1 << 16];
  void* any[1];
  backtrace(any, 1);  // makes backtrace() load libgcc now, which it could not do inside a signal handler
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_sigaction = crashed;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

[[noreturn]] void end_for(int code) {
  char text[MPI_MAX_ERROR_STRING] = "an error";
  int length = 0;
  PMPI_Error_string(code, text, &length);
  char message[320];
  std::snprintf(message, sizeof message, "got an error from %s: %s",
                current == Function::none ? "MPI" : kFunctionNames[static_cast<std::size_t>(current)], text);
  if (current != Function::none) mine->frame = current_frame;
  end(Refusal::mpi_error, message);
}

void on_error(MPI_Comm* /*communicator*/, int* code, ...) {
  end_for(*code);
}

void on_window_error(MPI_Win* /*window*/, int* code, ...) {
  end_for(*code);
}
MPI_Errhandler handler_of_windows = MPI_ERRHANDLER_NULL;
bool windows_work = false;

// Opens and closes a window: one-sided communication opens sockets and starts a thread at its first use,
// which the ranks may not do later. Returns false if MPI has none that works on this machine.
bool try_a_window() {
  MPI_Win window = MPI_WIN_NULL;
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  return PMPI_Win_create(nullptr, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window) == MPI_SUCCESS &&
         PMPI_Win_free(&window) == MPI_SUCCESS;
}

[[noreturn]] void refuse_window(const char* function, void* caller) {
  mine->frame = frame_of(caller);
  char text[128];
  std::snprintf(text, sizeof text, "called %s, and %s", function, warpmark::ranks::kNoWindows);
  end(Refusal::mpi_error, text);
}

}  // namespace

const char* warpmark_mpi_start(void* board, int rank, int ranks) {
  mine = &static_cast<Board*>(board)->ranks[static_cast<std::size_t>(rank)];
  runs_version = true;
  int provided = 0;
  if (PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS)
    return "MPI_Init_thread failed";
  int size = 0;
  int number = -1;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  PMPI_Comm_rank(MPI_COMM_WORLD, &number);
  if (size != ranks || number != rank) return "MPI_COMM_WORLD is not as large as it was started";
  windows_work = try_a_window();
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_create_errhandler(on_error, &handler);
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  PMPI_Win_create_errhandler(on_window_error, &handler_of_windows);
  report_crashes();
  return nullptr;
}

// Notes a collective call on all ranks, as it begins.
static void note_collective(Function function, int root, MPI_Comm communicator, void* caller) {
  if (communicator != MPI_COMM_WORLD || current != Function::none) return;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  const std::uint64_t number = mine->collectives.load();
  if (number < warpmark::ranks::kMostCollectives) {
    auto& noted = mine->noted[number];
    noted.function = function;
    noted.root = root;
    noted.frame = frame_of(caller);
  }
  mine->collectives = number + 1;  // last, so that nobody reads what is not there yet
}

#define WARPMARK_COLLECTIVE(name, root, parameters, arguments)              \
  int MPI_##name parameters {                                               \
    note_collective(Function::name, root, c, __builtin_return_address(0));  \
    const Inside inside(Function::name, root, __builtin_return_address(0)); \
    return PMPI_##name arguments;                                           \
  }
#define WARPMARK_NOTED(name, peer, parameters, arguments)                   \
  int MPI_##name parameters {                                               \
    const Inside inside(Function::name, peer, __builtin_return_address(0)); \
    return PMPI_##name arguments;                                           \
  }
// A window does not inherit the error handler of its communicator.
#define WARPMARK_WINDOW(name, parameters, arguments)                             \
  int MPI_##name parameters {                                                    \
    if (!windows_work) refuse_window("MPI_" #name, __builtin_return_address(0)); \
    note_collective(Function::name, -1, c, __builtin_return_address(0));         \
    const Inside inside(Function::name, -1, __builtin_return_address(0));        \
    const int result = PMPI_##name arguments;                                    \
    if (result == MPI_SUCCESS) PMPI_Win_set_errhandler(*w, handler_of_windows);  \
    return result;                                                               \
  }

extern "C" {

int MPI_Init(int* /*argc*/, char*** /*argv*/) {
  refuse("MPI_Init", __builtin_return_address(0));
}
int MPI_Init_thread(int* /*argc*/, char*** /*argv*/, int /*required*/, int* /*provided*/) {
  refuse("MPI_Init_thread", __builtin_return_address(0));
}
int MPI_Finalize() {
  refuse("MPI_Finalize", __builtin_return_address(0));
}
int MPI_Abort(MPI_Comm /*communicator*/, int code) {
  mine->frame = frame_of(__builtin_return_address(0));
  char text[64];
  std::snprintf(text, sizeof text, "called MPI_Abort with %d", code);
  end(Refusal::aborted, text);
}

// clang-format off
WARPMARK_NOTED(Send, to, (const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (b, n, t, to, tag, c))
WARPMARK_NOTED(Ssend, to, (const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (b, n, t, to, tag, c))
WARPMARK_NOTED(Recv, from == MPI_ANY_SOURCE ? -1 : from, (void* b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status* s),
               (b, n, t, from, tag, c, s))
WARPMARK_NOTED(Sendrecv, from == MPI_ANY_SOURCE ? -1 : from,
               (const void* a, int m, MPI_Datatype u, int to, int tag, void* b, int n, MPI_Datatype t, int from, int tag2, MPI_Comm c,
                MPI_Status* s),
               (a, m, u, to, tag, b, n, t, from, tag2, c, s))
WARPMARK_NOTED(Wait, -1, (MPI_Request* r, MPI_Status* s), (r, s))
WARPMARK_NOTED(Waitall, -1, (int n, MPI_Request* r, MPI_Status* s), (n, r, s))
WARPMARK_NOTED(Waitany, -1, (int n, MPI_Request* r, int* i, MPI_Status* s), (n, r, i, s))
WARPMARK_NOTED(Probe, from == MPI_ANY_SOURCE ? -1 : from, (int from, int tag, MPI_Comm c, MPI_Status* s), (from, tag, c, s))
WARPMARK_COLLECTIVE(Barrier, -1, (MPI_Comm c), (c))
WARPMARK_COLLECTIVE(Bcast, root, (void* b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c))
WARPMARK_COLLECTIVE(Scatter, root, (const void* a, int m, MPI_Datatype u, void* b, int n, MPI_Datatype t, int root, MPI_Comm c),
               (a, m, u, b, n, t, root, c))
WARPMARK_COLLECTIVE(Scatterv, root,
               (const void* a, const int* m, const int* d, MPI_Datatype u, void* b, int n, MPI_Datatype t, int root, MPI_Comm c),
               (a, m, d, u, b, n, t, root, c))
WARPMARK_COLLECTIVE(Gather, root, (const void* a, int m, MPI_Datatype u, void* b, int n, MPI_Datatype t, int root, MPI_Comm c),
               (a, m, u, b, n, t, root, c))
WARPMARK_COLLECTIVE(Gatherv, root,
               (const void* a, int m, MPI_Datatype u, void* b, const int* n, const int* d, MPI_Datatype t, int root, MPI_Comm c),
               (a, m, u, b, n, d, t, root, c))
WARPMARK_COLLECTIVE(Allgather, -1, (const void* a, int m, MPI_Datatype u, void* b, int n, MPI_Datatype t, MPI_Comm c), (a, m, u, b, n, t, c))
WARPMARK_COLLECTIVE(Allgatherv, -1, (const void* a, int m, MPI_Datatype u, void* b, const int* n, const int* d, MPI_Datatype t, MPI_Comm c),
               (a, m, u, b, n, d, t, c))
WARPMARK_COLLECTIVE(Reduce, root, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c), (a, b, n, t, o, root, c))
WARPMARK_COLLECTIVE(Allreduce, -1, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
WARPMARK_COLLECTIVE(Reduce_scatter, -1, (const void* a, void* b, const int* n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
WARPMARK_COLLECTIVE(Alltoall, -1, (const void* a, int m, MPI_Datatype u, void* b, int n, MPI_Datatype t, MPI_Comm c), (a, m, u, b, n, t, c))
WARPMARK_COLLECTIVE(Alltoallv, -1,
               (const void* a, const int* m, const int* d, MPI_Datatype u, void* b, const int* n, const int* e, MPI_Datatype t, MPI_Comm c),
               (a, m, d, u, b, n, e, t, c))
WARPMARK_COLLECTIVE(Scan, -1, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
WARPMARK_COLLECTIVE(Exscan, -1, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
WARPMARK_COLLECTIVE(Comm_dup, -1, (MPI_Comm c, MPI_Comm* d), (c, d))
WARPMARK_COLLECTIVE(Comm_split, -1, (MPI_Comm c, int color, int key, MPI_Comm* d), (c, color, key, d))
WARPMARK_NOTED(Put, to, (const void* a, int m, MPI_Datatype u, int to, MPI_Aint d, int n, MPI_Datatype t, MPI_Win w), (a, m, u, to, d, n, t, w))
WARPMARK_NOTED(Get, from, (void* a, int m, MPI_Datatype u, int from, MPI_Aint d, int n, MPI_Datatype t, MPI_Win w), (a, m, u, from, d, n, t, w))
WARPMARK_NOTED(Accumulate, to, (const void* a, int m, MPI_Datatype u, int to, MPI_Aint d, int n, MPI_Datatype t, MPI_Op o, MPI_Win w),
               (a, m, u, to, d, n, t, o, w))
WARPMARK_NOTED(Win_lock, of, (int type, int of, int assert, MPI_Win w), (type, of, assert, w))
WARPMARK_NOTED(Win_unlock, of, (int of, MPI_Win w), (of, w))
WARPMARK_NOTED(Win_lock_all, -1, (int assert, MPI_Win w), (assert, w))
WARPMARK_NOTED(Win_unlock_all, -1, (MPI_Win w), (w))
WARPMARK_NOTED(Win_flush, of, (int of, MPI_Win w), (of, w))
WARPMARK_NOTED(Win_fence, -1, (int assert, MPI_Win w), (assert, w))
WARPMARK_NOTED(Win_free, -1, (MPI_Win* w), (w))
WARPMARK_WINDOW(Win_create, (void* b, MPI_Aint size, int unit, MPI_Info i, MPI_Comm c, MPI_Win* w), (b, size, unit, i, c, w))
WARPMARK_WINDOW(Win_allocate, (MPI_Aint size, int unit, MPI_Info i, MPI_Comm c, void* b, MPI_Win* w), (size, unit, i, c, b, w))
// clang-format on

}  // extern "C"
