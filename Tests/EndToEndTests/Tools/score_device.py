"""Make damaged device databases with a known answer, salvage each, and compare row by row.

    score_device.py RASDKIT FOLDER SEED COUNT [NUMBER]

What is made is a function of the seed; with NUMBER only that one is made, and kept. Every cipher,
key and page size comes up in each 64, every damage in each 18. What a row must be is read by
devicedb's own walker from an undamaged twin, its WAL folded in here. Prints one line for each
database that differs, with the words that make it again.
"""
import json, os, random, shutil, sqlite3, subprocess, sys
from pathlib import Path
from types import SimpleNamespace

import devicedb, fleet

GOOD = ("verified", "intact", "unverifiable", "plausible")
KEYS = {"submissions": [0], "attachments": [0], "outbox": [0], "kv": [0], "forms": [0, 1], "datasets": [0, 1],
        "dataset_fk": [0, 1, 2, 3], "_rasd_migrations": [0], "_rasd_keys": [0]}
TRIPLES = [(c, p, s) for c in "4321" for p in (False, True) for s in (1024, 2048, 4096, 8192, 16384, 32768, 65536)]
TRIPLES += [("plain", False, s) for s in (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)]
DAMAGE = ["", "zero:5", "flip:8", "garbage:4", "header", "page1", "truncate:20", "root", "flip:8,zero:3", "header,flip:4",
          "page1,root", "root,zero:4,garbage:2"]
# What a person's copying adds: done here, after devicedb.
MISHAPS = ["behead", "scribble", "shift", "shift,cut", "wal-header", "wal-frame"]


def combination(seed, number):
    rng = random.Random(f"{seed} {number}")
    def turn(of, name):
        order = list(of)
        random.Random(f"{seed} {name} {number // len(order)}").shuffle(order)
        return order[number % len(order)]
    cipher, passphrase, size = turn(TRIPLES, "triple")
    harm = turn(DAMAGE + MISHAPS, "harm")
    rows = {512: 40, 1024: 40, 65536: 400, 32768: 250}.get(size, 120)
    words = ["--seed", str(seed * 1000 + number), "--rows", str(rows), "--cipher", cipher, "--page-size", str(size)]
    words += ["--passphrase"] if passphrase else []
    for flag, share in (("--jsonb", .35), ("--utf16", .25), ("--auto-vacuum", .3), ("--fts", .3), ("--field-key", .25)):
        words += [flag] if rng.random() < share else []
    words += ["--wal"] if harm.startswith("wal") or rng.random() < .3 else []
    words += ["--delete", rng.choice(["0.05", "0.2", "0.5"])] if rng.random() < .5 else []
    damage, mishap = (harm, "") if harm in DAMAGE else (rng.choice(["", "", "zero:3", "flip:4"]), harm)
    if "cut" in mishap:
        damage, mishap = "truncate:15", "shift"
    words += ["--damage", damage] if damage else []
    if cipher == "4" and not passphrase and rng.random() < .4:
        words.append("--rekey-cut")
    return words, mishap, rng.random() < .6, rng


def make(folder, words):
    subprocess.run([sys.executable, devicedb.__file__, str(folder)] + words, check=True, capture_output=True)
    return json.loads((folder / "truth.json").read_text())


def without(words, *gone):
    out, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in gone:
            skip = word == "--damage"
        else:
            out.append(word)
    return out


def frames(wal, size):
    """Page number and where the page lies, of every frame."""
    return [(int.from_bytes(wal[at:at + 4], "big"), at + 24) for at in range(32, len(wal) - size - 23, size + 24)]


def mishap(kind, made, size, cipher, rng):
    """Does it; what became of the pages that are hit, and of the frames."""
    db, wal = made / "device.db", made / "device.db-wal"
    data = bytearray(db.read_bytes())
    if kind == "behead":
        del data[:size]
    elif kind == "scribble":
        lo = 0 if cipher == "plain" else 16
        data[lo:100] = rng.randbytes(100 - lo)
    elif kind == "shift":
        n = rng.choice([1, 16, 100, 422, 511, 512, 1000, 1024, 2047, 3333, 4095])
        data[:0] = bytes(n) if rng.random() < .3 else rng.randbytes(n)
    db.write_bytes(data)
    hit = None
    if kind.startswith("wal"):
        log = bytearray(wal.read_bytes())
        if kind == "wal-header":
            log[:32] = rng.randbytes(32) if rng.random() < .5 else bytes(32)
        else:
            hit = rng.randrange(len(frames(log, size)))
            at = frames(log, size)[hit][1]
            how = rng.choice(["flip", "garbage", "zero"])
            if how == "flip":
                log[at + rng.randrange(size - 100)] ^= 1 << rng.randrange(8)
            else:
                log[at:at + size] = rng.randbytes(size) if how == "garbage" else bytes(size)
        wal.write_bytes(log)
    return {1} if kind in ("behead", "scribble") else set(), hit


class Answer:
    """What each row of each table must be, and from which pages it comes."""

    def __init__(self, twin, truth, hit, frame):
        wal = (twin / "device.db-wal").read_bytes() if (twin / "device.db-wal").exists() else b""
        size, data = truth["pageSize"], bytearray((twin / "device.db").read_bytes())
        self.failed, hit = set(hit), set(hit)
        for i, (page, at) in enumerate(frames(wal, size)):
            data[(page - 1) * size:page * size] = wal[at:at + size]
            hit.discard(page)
            if i == frame:
                hit.add(page)
        folded = twin / "folded.db"
        folded.write_bytes(data)
        cipher = truth["cipher"]
        if cipher != "plain":
            phrase = twin / "passphrase.txt"
            key = f"'{phrase.read_text()}'" if phrase.exists() else f"\"x'{(twin / 'key.txt').read_text().strip()}'\""
            data = devicedb.decrypt_copy(folded, SimpleNamespace(cipher=cipher, page_size=size), key)
        walker = devicedb.Walker(bytes(data))
        roots = walker.tables()
        # Keys that an undamaged page of the table's own index lists: those rows are known to live.
        self.listed = {t: set() for t in KEYS}
        for _, name, table, root, _ in (row for row, _ in walker.rows(1) if row[0] == "index"):
            if name.startswith("sqlite_autoindex_") and table in KEYS:
                self.listed[table] |= {tuple(entry[:len(KEYS[table])]) for entry, pages in walker.rows(root) if not set(pages) & hit}
        self.rows = {t: {} for t in KEYS}
        for table, places in KEYS.items():
            for record, pages in walker.rows(roots[table]):
                self.rows[table][tuple(record[i] for i in places)] = (record, not set(pages) & hit)


def recovered(out):
    """Every recovered row's values as they were stored: table, values, grade, kind, page."""
    db = sqlite3.connect(f"file:{out / 'recovered.db'}?mode=ro", uri=True)
    db.text_factory = lambda b: b.decode("utf-8", "replace")
    names = [n for n, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    for name in names:
        quoted = name.replace('"', '""')
        for *values, grade, kind, page in db.execute(f'SELECT * FROM "{quoted}"'):
            yield name, values, grade, kind, page
    db.close()


def lines(out):
    """The lines of rows/: (table, key) and the line."""
    names = {"forms": ["id", "version"], "datasets": ["name", "key"], "dataset_fk": ["name", "k", "v", "key"], "kv": ["key"],
             "_rasd_keys": ["kid"]}
    for path in (out / "rows").glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line and path.stem in KEYS:
                line = json.loads(line, strict=False)
                key = (line["row"].get(n) for n in names.get(path.stem, ["id"]))
                yield (path.stem, tuple(k if isinstance(k, (str, type(None))) else repr(k) for k in key)), line


def differences(answer, truth, out, proved, opened):
    known = {t: set(rows) for t, rows in answer.rows.items()}
    known["submissions"] |= {(i,) for i in truth["deleted"]}
    stored = {repr(record) for rows in answer.rows.values() for record, _ in rows.values()}
    failed, older, digests = set(), set(), {}
    for (table, key), line in lines(out):
        place = line["provenance"]
        if "failed" in place["verdict"]:
            failed.add((table, key, place["page"]))
        elif proved and place["file"] == "database" and place["page"] in answer.failed:
            yield f"from a failed page and not marked: {table} {key} {line['grade']} {place}"
        if "older-version" in place.get("notes", []):
            older.add((table, key))
        if table == "submissions":
            digests.setdefault(key, []).append((line["grade"], line["kind"], digest(line["row"])))
    got, deleted = {t: {} for t in KEYS}, set()
    for table, values, grade, kind, page in recovered(out):
        if table not in KEYS:
            if repr(values) in stored:
                yield f"not under its table's name: {table} {kind} {grade} {str(values)[:100]}"
            continue
        key = tuple(v if isinstance(v, (str, type(None))) else repr(v) for v in (values[i] for i in KEYS[table]))
        there = answer.rows[table].get(key)
        if kind in ("live", "orphan"):
            got[table].setdefault(key, []).append((values, grade))
        elif there and (there[1] or key in answer.listed[table]) and (table, key) not in older:
            yield f"live row called deleted: {table} {key} {kind} {grade} page {page}"
        else:
            deleted.add((table, key))
        if grade in GOOD and key not in known[table]:
            yield f"never there: {table} {key} {kind} {grade} page {page}"
        if there and values != there[0] and proved and grade in GOOD and (table, key, page) not in failed:
            where = [i for i, (a, b) in enumerate(zip(values, there[0])) if a != b]
            yield f"altered and unmarked: {table} {key} {kind} {grade} page {page} columns {where}"
    for key, found in digests.items():
        for grade, kind, d in found:
            if grade == "verified" and d != truth["checksums"].get(key[0]):
                yield f"verified and not what was written: {key} {kind}"
    for table, rows in answer.rows.items():
        for key, (record, recoverable) in rows.items():
            here = got[table].get(key, [])
            if not recoverable:
                continue
            sealed = table == "submissions" and not opened
            checked = table == "forms" or table == "submissions" and record[12] is not None
            wanted = ["unverifiable" if sealed else "verified" if checked else "intact" if proved else "plausible"]
            wanted += ["verified"] if table == "attachments" else []
            if not here:
                yield f"missing: {table} {key}"
            elif not any(values == record for values, _ in here):
                yield f"not what was written: {table} {key} {[g for _, g in here]}"
            elif not any(values == record and grade in wanted for values, grade in here):
                yield f"graded {[g for _, g in here]} and not {wanted[0]}: {table} {key}"
    for key in truth["deletedThere"]:
        if ("submissions", (key,)) not in deleted:
            yield f"deleted row not found: {key}"
        elif opened and not any(d == truth["checksums"][key] for _, kind, d in digests[key,] if kind not in ("live", "orphan")):
            yield f"deleted row not whole: {key}"


def digest(row):
    try:
        return fleet.digest(row)
    except Exception:
        return None


def score(rasdkit, folder, seed, number):
    words, kind, opened, rng = combination(seed, number)
    made, twin, out = (folder / f"{what}-{number}" for what in ("made", "twin", "out"))
    for path in (made, twin, out):
        shutil.rmtree(path, ignore_errors=True)
    truth = make(made, words)
    make(twin, without(words, "--damage", "--rekey-cut"))
    cipher = truth["cipher"]
    hit, frame = mishap(kind, made, truth["pageSize"], cipher, rng)
    wal = made / "device.db-wal"
    keys = [w for f in ("key.txt", "key2.txt") if (made / f).exists() for w in ("--key-file", str(made / f))]
    keys += ["--passphrase-file", str(made / "passphrase.txt")] if "--passphrase" in words else []
    if "--field-key" in words and opened:
        keys += ["--field-key", f"f1={made / 'field.key'}"]
    again = [f"{number}:"] + words + [kind] + ([] if opened or "--field-key" not in words else ["(field key kept back)"])
    run = subprocess.run([rasdkit, "salvage", "--quiet", "--to", str(out)] + keys + [str(made)], capture_output=True, text=True)
    copies = wal.exists() and any(page == 1 for page, _ in frames(wal.read_bytes(), truth["pageSize"]))
    salt = "page1" not in str(truth["damage"]) and kind != "behead" or copies
    if run.returncode < 0:
        wrong = [f"signal {-run.returncode}"]
    elif cipher != "plain" and "--passphrase" in words and not salt:
        # A file that begins with its second page looks like one whose passphrase is wrong.
        said = ("salt-lost", "wrong-key") if kind == "behead" else ("salt-lost",)
        right = run.returncode == 12 and any(word in run.stderr for word in said)
        wrong = [] if right else [f"exit {run.returncode}, not {said[0]}: {run.stderr[-300:]}"]
    elif cipher != "plain" and "--passphrase" in words and kind == "shift" and "truncate" in str(truth["damage"]) and run.returncode == 12:
        wrong = [] if "salt-misplaced" in run.stderr else [f"exit {run.returncode}: {run.stderr[-300:]}"]
    elif run.returncode not in (0, 1):
        wrong = [f"exit {run.returncode}: {run.stderr[-300:]}"]
    else:
        answer = Answer(twin, truth, hit | set(truth["damaged"]), frame)
        proved = cipher in ("4", "3", "2") and salt
        wrong = list(differences(answer, truth, out, proved, opened or "--field-key" not in words))
    if wrong:
        print(" ".join(again), f"\n  {len(wrong)} differ:", "\n  ".join(wrong[:int(os.environ.get('SHOWN', 4))]), flush=True)
    if len(sys.argv) < 6:
        for path in (made, twin, out):
            shutil.rmtree(path, ignore_errors=True)
    return bool(wrong)


def main():
    rasdkit, folder, seed, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    numbers = [int(sys.argv[5])] if len(sys.argv) > 5 else range(count)
    failed = sum(score(rasdkit, folder, seed, number) for number in numbers)
    print(f"{len(numbers)} databases of seed {seed}, {failed} differ")
    sys.exit(1 if failed else 0)


main()
