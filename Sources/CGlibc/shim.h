#pragma once
// What Swift's module of glibc leaves out: the allocator's settings, and a hint to the disk.
#include <malloc.h>
#include <sys/types.h>

// <fcntl.h> declares it for _GNU_SOURCE alone. Flag 2: begin to write, wait for nothing.
int sync_file_range(int descriptor, off_t offset, off_t count, unsigned int flags);
static const unsigned int rasd_sync_file_range_write = 2;
