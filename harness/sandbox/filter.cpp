#include "harness/sandbox/filter.h"

#include <cerrno>
#include <initializer_list>
#include <memory>

#include <sched.h>
#include <seccomp.h>
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
  // Blocks prlimit() on process 1, the supervising keeper process, which may run as the same user.
  rules.refuse(SCMP_SYS(prlimit64), SCMP_A0_32(SCMP_CMP_EQ, 1));
}

}  // namespace

int install(Filter filter) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  Rules rules;
  if (filter == Filter::box) add_box(rules);
  if (filter == Filter::sealed) add_seal(rules);
  return rules.load();
}

}  // namespace warpmark::sandbox
