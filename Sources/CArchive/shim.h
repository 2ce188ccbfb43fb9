#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* prctl is variadic. */
static inline int shim_no_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* Refuses every system call but those that compute, take memory and use what is open already
   (seccomp_filter in the kernel's documentation); needs no new privileges. Zero where it holds. */
static inline int shim_confine(void) {
#if defined(__x86_64__)
  const unsigned arch = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  const unsigned arch = AUDIT_ARCH_AARCH64;
#else
  return -1;
#endif
#define ALLOW(call)                                          \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1),    \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ALLOW(read), ALLOW(write), ALLOW(recvfrom), ALLOW(sendto),
      ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect), ALLOW(madvise), ALLOW(brk),
      ALLOW(futex), ALLOW(clock_gettime), ALLOW(getrandom),
      ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(exit), ALLOW(exit_group),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
  };
#undef ALLOW
  const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* A GNU extension (glibc 2.34), which the headers hide from Swift. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
