#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <spawn.h>
#include <sys/prctl.h>

/* prctl is variadic. */
static inline int shim_no_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* A GNU extension (glibc 2.34), which the headers hide from Swift. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
