#include "harness/sandbox/filter.h"

#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>

#include <link.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace warpmark::sandbox {

namespace {

constexpr std::uint32_t kRefuse = SCMP_ACT_ERRNO(EPERM);

class Rules {
 public:
  Rules() : context_(seccomp_init(SCMP_ACT_ALLOW), seccomp_release) {
    if (!context_) error_ = ENOMEM;
    option(SCMP_FLTATR_CTL_TSYNC, 1);
    option(SCMP_FLTATR_CTL_OPTIMIZE, 2);
  }

  void refuse(std::initializer_list<int> calls) {
    for (const int call : calls) keep(seccomp_rule_add_array(context_.get(), kRefuse, call, 0, nullptr));
  }
  void refuse(int call, const scmp_arg_cmp& when) {
    keep(seccomp_rule_add_array(context_.get(), kRefuse, call, 1, &when));
  }
  // Makes a system call fail with ENOSYS, as on an older kernel, so that the C library falls back to an older
  // call.
  void deny_knowledge_of(int call) {
    keep(seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(ENOSYS), call, 0, nullptr));
  }

  int load() {
    if (error_ == 0) keep(seccomp_load(context_.get()));
    return error_;
  }

 private:
  void option(scmp_filter_attr attribute, std::uint32_t value) {
    if (error_ == 0) keep(seccomp_attr_set(context_.get(), attribute, value));
  }
  // Keeps the first error of installing seccomp rules. EDOM is no error: the system call does not exist on
  // this architecture and need not be blocked.
  void keep(int result) {
    if (error_ == 0 && result < 0 && result != -EDOM) error_ = -result;
  }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
  int error_ = 0;
};

void add_box(Rules& rules) {
  rules.refuse({SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
                SCMP_SYS(pidfd_getfd), SCMP_SYS(process_madvise)});
  rules.refuse({SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot),
                SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(fsconfig),
                SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(mount_setattr), SCMP_SYS(open_by_handle_at)});
  rules.refuse({SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(add_key), SCMP_SYS(request_key),
                SCMP_SYS(keyctl), SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd),
                SCMP_SYS(io_uring_setup), SCMP_SYS(fanotify_init), SCMP_SYS(syslog), SCMP_SYS(quotactl)});
  for (const scmp_datum_t space : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC,
                                   CLONE_NEWUTS, CLONE_NEWCGROUP}) {
    rules.refuse(SCMP_SYS(clone), SCMP_A0_64(SCMP_CMP_MASKED_EQ, space, space));
  }
  // clone3() gets its flags in memory, which a seccomp filter cannot read. It fails with ENOSYS, so that the
  // C library falls back to clone, whose flags the filter checks.
  rules.deny_knowledge_of(SCMP_SYS(clone3));
}

void add_seal(Rules& rules) {
  rules.refuse({SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(execve), SCMP_SYS(execveat)});
  rules.refuse(SCMP_SYS(clone), SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  rules.deny_knowledge_of(SCMP_SYS(clone3));
  // Signals to other processes are blocked in student code, but not those of a process to itself, as abort()
  // and raise() send.
  const auto self = static_cast<scmp_datum_t>(getpid());
  for (const int call :
       {SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo)}) {
    rules.refuse(call, SCMP_A0_32(SCMP_CMP_NE, self));
  }
  rules.refuse({SCMP_SYS(tkill), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_send_signal), SCMP_SYS(socket)});
  // Code that runs stays as it was loaded. Pages may still be made writable, as the stacks of new threads
  // are: what must not change in the worker itself is sealed (seal_code()).
  for (const int call : {SCMP_SYS(mprotect), SCMP_SYS(pkey_mprotect)})
    rules.refuse(call, SCMP_A2_64(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
  rules.refuse(SCMP_SYS(prctl), SCMP_A0_32(SCMP_CMP_EQ, PR_SET_DUMPABLE));
  // A process that was bound to one processor stays there: an MPI rank's share of the machine.
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) == 1)
    rules.refuse({SCMP_SYS(sched_setaffinity)});
  // Blocks prlimit() on process 1, the supervising keeper process, which may run as the same user.
  rules.refuse(SCMP_SYS(prlimit64), SCMP_A0_32(SCMP_CMP_EQ, 1));
}

// Forbids every later change of the protection or the mapping of what the loaded program and its libraries
// execute and, with RELRO, of the tables by which they call each other (mseal, Linux 6.10; does nothing on
// older kernels). Leaves out NVIDIA's libraries, which may change themselves.
int seal_code(dl_phdr_info* object, std::size_t /*size*/, void* /*unused*/) {
  constexpr long kMseal = 462;  // not in the headers of older systems
  const std::string_view path(object->dlpi_name);
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.starts_with("libcu") || name.starts_with("libnv")) return 0;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  for (const ElfW(Phdr) & segment : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    const bool constant = segment.p_type == PT_LOAD && (segment.p_flags & PF_W) == 0;
    if (!constant && segment.p_type != PT_GNU_RELRO) continue;
    const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    const std::uintptr_t end = begin + segment.p_memsz;
    const std::uintptr_t first = begin / page * page;
    // The last page of RELRO is constant only if it is a whole one.
    const std::uintptr_t last = (constant ? end + page - 1 : end) / page * page;
    if (last > first) static_cast<void>(syscall(kMseal, first, last - first, 0UL));
  }
  return 0;
}

}  // namespace

int install(Filter filter) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (filter != Filter::box) {
    // /proc/self/mem belongs to root from here on, which no worker is: a write through it would ignore the
    // protection of pages.
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return errno;
    dl_iterate_phdr(seal_code, nullptr);
  }
  Rules rules;
  if (filter == Filter::box) add_box(rules);
  if (filter != Filter::box) add_seal(rules);
  if (filter == Filter::sealed_between_calls) {
    rules.refuse(SCMP_SYS(rt_sigaction), SCMP_A1_64(SCMP_CMP_NE, 0));
    rules.refuse({SCMP_SYS(rseq)});
  }
  return rules.load();
}

}  // namespace warpmark::sandbox
