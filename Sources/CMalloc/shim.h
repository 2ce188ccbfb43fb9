#pragma once
// The allocator's settings, which Swift's module of glibc leaves out.
#include <malloc.h>
