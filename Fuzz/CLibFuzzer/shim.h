#pragma once
#include <stddef.h>
#include <stdint.h>

// Called by the harness: the package manager renames `main`, so libFuzzer's own is not used.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *bytes, size_t count));
