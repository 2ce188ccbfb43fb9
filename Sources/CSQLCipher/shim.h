#pragma once
#define SQLITE_HAS_CODEC 1
#include <sqlcipher/sqlite3.h>

/* A macro with a cast, which the importer does not see. */
static inline sqlite3_destructor_type rasd_transient(void) { return SQLITE_TRANSIENT; }

/* SQLite takes a NULL pointer for NULL; an empty text or blob needs some address. */
static inline const void *rasd_not_nil(const void *bytes) { return bytes ? bytes : ""; }
