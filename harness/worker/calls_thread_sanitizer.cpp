// Functions that students' libraries call in place of those that ThreadSanitizer's runtime and Archer do not
// know: locks with a time limit of any clock, threads of C11, fences, and reductions of OpenMP's tasks. The
// worker exports them, so that they precede the system's functions of the same names.
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <utility>

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

extern "C" {

// Interface functions of ThreadSanitizer's runtime.
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
void __tsan_atomic_thread_fence(int order);

}  // extern "C"

namespace {

// Returns the time of the system's clock at which the given clock will show `time`.
timespec on_system_clock(clockid_t clock, const timespec& time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  timespec its{};
  timespec now{};
  if (clock == CLOCK_REALTIME || clock_gettime(clock, &its) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0)
    return time;
  const std::int64_t nanoseconds = std::int64_t{now.tv_nsec} + time.tv_nsec - its.tv_nsec;
  const std::int64_t carry = (nanoseconds + kSecond) / kSecond - 1;
  timespec converted{};
  converted.tv_sec = now.tv_sec + (time.tv_sec - its.tv_sec) + carry;
  converted.tv_nsec = nanoseconds - carry * kSecond;
  return converted;
}

// Returns true if a time limit cannot be converted: as in the C library, the call then fails with EINVAL.
bool is_invalid(clockid_t clock, const timespec* time) {
  return (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) || time->tv_nsec < 0 ||
         time->tv_nsec >= 1'000'000'000;
}

int c11_result(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case EBUSY:
      return thrd_busy;
    case ETIMEDOUT:
      return thrd_timedout;
    default:
      return thrd_error;
  }
}

struct Start {
  thrd_start_t function;
  void* argument;
};
void* run_c11_thread(void* start) {
  const Start given = *static_cast<Start*>(start);
  delete static_cast<Start*>(start);
  return reinterpret_cast<void*>(std::intptr_t{given.function(given.argument)});
}

// The types of C11 threads are those of pthreads under another name.
pthread_mutex_t* pthreads(mtx_t* mutex) {
  return reinterpret_cast<pthread_mutex_t*>(mutex);
}
pthread_cond_t* pthreads(cnd_t* condition) {
  return reinterpret_cast<pthread_cond_t*>(condition);
}
static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t) &&
              sizeof(once_flag) == sizeof(pthread_once_t));

// Fences order relaxed atomics, which ThreadSanitizer does not know. From a thread's first release fence on,
// its relaxed stores therefore count as release stores; and once any thread has executed a fence, relaxed
// loads count as acquire loads. This is more order than there is, never less, and none without an atomic.
constexpr int kRelaxed = __ATOMIC_RELAXED;
std::atomic<bool> fences_are_used = false;
thread_local bool releases = false;

void note_fence(int order) {
  fences_are_used.store(true, std::memory_order_relaxed);
  if (order == __ATOMIC_RELEASE || order >= __ATOMIC_ACQ_REL) releases = true;
}
inline int order_of_load(int order) {
  return order == kRelaxed && fences_are_used.load(std::memory_order_relaxed) ? __ATOMIC_ACQUIRE : order;
}
inline int order_of_store(int order) {
  return order == kRelaxed && releases ? __ATOMIC_RELEASE : order;
}
inline int order_of_change(int order) {
  if (!fences_are_used.load(std::memory_order_relaxed) || order >= __ATOMIC_ACQ_REL) return order;
  return releases || order == __ATOMIC_RELEASE ? __ATOMIC_ACQ_REL : __ATOMIC_ACQUIRE;
}

// A variable of a reduction of OpenMP's tasks (kmp_taskred_input_t of LLVM's kmp.h).
struct Reduced {
  void* shared;
  void* original;
  std::size_t size;
  void* initialise;
  void* finish;
  void* combine;
  unsigned flags;
};

// OpenMP combines and destroys the tasks' copies of a variable when all of them have ended, but Archer orders
// the tasks before what follows only later. Accesses in these functions are therefore not watched. Each
// function gets one of a fixed number of functions in its place, because OpenMP passes no context.
constexpr std::size_t kMostFunctions = 64;
class Unwatched {
 public:
  Unwatched() {
    AnnotateIgnoreReadsBegin(nullptr, 0);
    AnnotateIgnoreWritesBegin(nullptr, 0);
  }
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;
  ~Unwatched() {
    AnnotateIgnoreWritesEnd(nullptr, 0);
    AnnotateIgnoreReadsEnd(nullptr, 0);
  }
};
std::array<std::atomic<void*>, kMostFunctions> functions;
// A combining function takes two arguments, a finishing one the first of them.
template <std::size_t place>
void unwatched(void* one, void* other) {
  const Unwatched now;
  reinterpret_cast<void (*)(void*, void*)>(functions[place].load())(one, other);
}
template <std::size_t... places>
constexpr std::array<void (*)(void*, void*), kMostFunctions> all_unwatched(
    std::index_sequence<places...> /*places*/) {
  return {unwatched<places>...};
}

void* in_place_of(void* function) {
  static constexpr auto kUnwatched = all_unwatched(std::make_index_sequence<kMostFunctions>());
  if (function == nullptr) return nullptr;
  for (std::size_t i = 0; i < kMostFunctions; ++i) {
    if (function == reinterpret_cast<void*>(kUnwatched[i])) return function;
    void* held = nullptr;
    if (functions[i].compare_exchange_strong(held, function) || held == function)
      return reinterpret_cast<void*>(kUnwatched[i]);
  }
  return function;
}

Reduced* unwatched(int count, void* data) {
  auto* const all = static_cast<Reduced*>(data);
  for (Reduced* each = all; each != all + count; ++each) {
    each->finish = in_place_of(each->finish);
    each->combine = in_place_of(each->combine);
  }
  return all;
}

template <class Function>
Function* openmps(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* time) noexcept {
  if (is_invalid(clock, time)) return EINVAL;
  const timespec until = on_system_clock(clock, *time);
  return pthread_mutex_timedlock(mutex, &until);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* time) noexcept {
  if (is_invalid(clock, time)) return EINVAL;
  const timespec until = on_system_clock(clock, *time);
  return pthread_rwlock_timedrdlock(lock, &until);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* time) noexcept {
  if (is_invalid(clock, time)) return EINVAL;
  const timespec until = on_system_clock(clock, *time);
  return pthread_rwlock_timedwrlock(lock, &until);
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (is_invalid(clock, time)) {
    errno = EINVAL;
    return -1;
  }
  const timespec until = on_system_clock(clock, *time);
  return sem_timedwait(semaphore, &until);
}

int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  auto start = std::make_unique<Start>(Start{function, argument});
  const int error = pthread_create(thread, nullptr, run_c11_thread, start.get());
  if (error == 0) static_cast<void>(start.release());
  return c11_result(error == EAGAIN ? ENOMEM : error);
}
int thrd_join(thrd_t thread, int* result) {
  void* returned = nullptr;
  const int error = pthread_join(thread, &returned);
  if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(returned));
  return c11_result(error);
}
int thrd_detach(thrd_t thread) {
  return c11_result(pthread_detach(thread));
}
void thrd_exit(int result) {
  pthread_exit(reinterpret_cast<void*>(std::intptr_t{result}));
}

int mtx_init(mtx_t* mutex, int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if ((type & mtx_recursive) != 0) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  const int error = pthread_mutex_init(pthreads(mutex), &attributes);
  pthread_mutexattr_destroy(&attributes);
  return c11_result(error);
}
int mtx_lock(mtx_t* mutex) {
  return c11_result(pthread_mutex_lock(pthreads(mutex)));
}
int mtx_timedlock(mtx_t* mutex, const timespec* time) {
  return c11_result(pthread_mutex_timedlock(pthreads(mutex), time));
}
int mtx_trylock(mtx_t* mutex) {
  return c11_result(pthread_mutex_trylock(pthreads(mutex)));
}
int mtx_unlock(mtx_t* mutex) {
  return c11_result(pthread_mutex_unlock(pthreads(mutex)));
}
void mtx_destroy(mtx_t* mutex) {
  pthread_mutex_destroy(pthreads(mutex));
}

int cnd_init(cnd_t* condition) {
  return c11_result(pthread_cond_init(pthreads(condition), nullptr));
}
int cnd_signal(cnd_t* condition) {
  return c11_result(pthread_cond_signal(pthreads(condition)));
}
int cnd_broadcast(cnd_t* condition) {
  return c11_result(pthread_cond_broadcast(pthreads(condition)));
}
int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return c11_result(pthread_cond_wait(pthreads(condition), pthreads(mutex)));
}
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* time) {
  return c11_result(pthread_cond_timedwait(pthreads(condition), pthreads(mutex), time));
}
void cnd_destroy(cnd_t* condition) {
  pthread_cond_destroy(pthreads(condition));
}

void call_once(once_flag* flag, void (*function)()) {
  pthread_once(reinterpret_cast<pthread_once_t*>(flag), function);
}

void __kmpc_flush(void* /*place*/) {
  note_fence(__ATOMIC_SEQ_CST);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

// The linker lets students' libraries call these for ThreadSanitizer's functions (compile_host.cpp). Each
// ends in a jump to the runtime's function, which takes its caller for the place of the access.
void __wrap___tsan_atomic_thread_fence(int order) {
  note_fence(order);
  __tsan_atomic_thread_fence(order);
}

#define WARPMARK_CHANGE(bits, type, name)                                                 \
  type __tsan_atomic##bits##_##name(volatile type* place, type value, int order);         \
  type __wrap___tsan_atomic##bits##_##name(volatile type* place, type value, int order) { \
    return __tsan_atomic##bits##_##name(place, value, order_of_change(order));            \
  }
#define WARPMARK_ATOMICS(bits, type)                                                                      \
  type __tsan_atomic##bits##_load(const volatile type* place, int order);                                 \
  type __wrap___tsan_atomic##bits##_load(const volatile type* place, int order) {                         \
    return __tsan_atomic##bits##_load(place, order_of_load(order));                                       \
  }                                                                                                       \
  void __tsan_atomic##bits##_store(volatile type* place, type value, int order);                          \
  void __wrap___tsan_atomic##bits##_store(volatile type* place, type value, int order) {                  \
    __tsan_atomic##bits##_store(place, value, order_of_store(order));                                     \
  }                                                                                                       \
  WARPMARK_CHANGE(bits, type, exchange)                                                                   \
  WARPMARK_CHANGE(bits, type, fetch_add)                                                                  \
  WARPMARK_CHANGE(bits, type, fetch_sub)                                                                  \
  WARPMARK_CHANGE(bits, type, fetch_and)                                                                  \
  WARPMARK_CHANGE(bits, type, fetch_or)                                                                   \
  WARPMARK_CHANGE(bits, type, fetch_xor)                                                                  \
  WARPMARK_CHANGE(bits, type, fetch_nand)                                                                 \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* place, type expected, type value,        \
                                                  int order, int when_different);                         \
  type __wrap___tsan_atomic##bits##_compare_exchange_val(volatile type* place, type expected, type value, \
                                                         int order, int when_different) {                 \
    return __tsan_atomic##bits##_compare_exchange_val(place, expected, value, order_of_change(order),     \
                                                      order_of_load(when_different));                     \
  }
WARPMARK_ATOMICS(8, std::uint8_t)
WARPMARK_ATOMICS(16, std::uint16_t)
WARPMARK_ATOMICS(32, std::uint32_t)
WARPMARK_ATOMICS(64, std::uint64_t)

void* __kmpc_taskred_init(int thread, int count, void* data) {
  static auto* const init = openmps<decltype(__kmpc_taskred_init)>("__kmpc_taskred_init");
  return init(thread, count, unwatched(count, data));
}
void* __kmpc_taskred_modifier_init(void* place, int thread, int of_loop, int count, void* data) {
  static auto* const init = openmps<decltype(__kmpc_taskred_modifier_init)>("__kmpc_taskred_modifier_init");
  return init(place, thread, of_loop, count, unwatched(count, data));
}

}  // extern "C"
