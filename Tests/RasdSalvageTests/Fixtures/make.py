#!/usr/bin/env python3
"""Writes the fixtures beside it. Needs: pip install sqlcipher3-binary

plain-512.db          40 rows in 512-byte pages, UTF-8, as the journal and the WAL found it
plain-512.db-journal  a finished journal (PERSIST) of an update of every third row
plain-512.db-wal      20 more rows in two commits, not checkpointed
cipher4-1024.db       the same 40 rows, SQLCipher 4, 1,024-byte pages, raw key 5a × 32
cipher4-1024.db-wal   20 more rows
"""
import shutil, sys
from pathlib import Path
import sqlcipher3

here = Path(__file__).parent
work = Path(sys.argv[1] if len(sys.argv) > 1 else "/tmp/fixtures")
shutil.rmtree(work, ignore_errors=True)
work.mkdir()


def connect(path, key, size):
    c = sqlcipher3.connect(str(path), isolation_level=None)
    if key:
        c.execute(f"PRAGMA key = \"x'{'5a' * 32}'\"")
    c.execute(f"PRAGMA {'cipher_' if key else ''}page_size = {size}")
    return c


def fill(c, lo, hi):
    c.execute("BEGIN")
    for i in range(lo, hi):
        c.execute("INSERT INTO visits VALUES (?,?,?)", (f"{i:08x}-fixture", i * 7, f"visit {i} of the camp " * (1 + i % 5)))
    c.execute("COMMIT")


for name, key, size in (("plain-512.db", False, 512), ("cipher4-1024.db", True, 1024)):
    db = work / name
    c = connect(db, key, size)
    c.execute("CREATE TABLE visits (id TEXT PRIMARY KEY, n INTEGER, note TEXT)")
    fill(c, 0, 40)
    shutil.copy(db, here / name)
    if not key:
        c.execute("PRAGMA journal_mode = PERSIST")
        c.execute("UPDATE visits SET n = -n WHERE n % 3 = 0")
        c.close()
        shutil.copy(f"{db}-journal", here / f"{name}-journal")
        Path(f"{db}-journal").unlink()
        shutil.copy(here / name, db)
        c = connect(db, key, size)
    c.execute("PRAGMA journal_mode = WAL")
    shutil.copy(db, here / name)
    c.execute("PRAGMA wal_autocheckpoint = 0")
    fill(c, 40, 50)
    fill(c, 50, 60)
    shutil.copy(f"{db}-wal", here / f"{name}-wal")
    c.close()
