"""Make damaged device databases with a known answer, salvage each, and compare.

    score_device.py RASDKIT FOLDER SEED COUNT

The combinations of cipher, key, page size, features and damage are a function of the seed.
Prints one line for each database that differs, with the words that make it again.
"""
import json, random, shutil, subprocess, sys
from pathlib import Path

import devicedb, fleet

rasdkit, folder, seed, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
rng = random.Random(seed)
GOOD = ("verified", "intact", "unverifiable", "plausible")
DAMAGE = ["", "zero:5", "flip:8", "garbage:4", "header", "page1", "truncate:20", "root", "flip:8,zero:3", "header,flip:4",
          "page1,root", "root,zero:4"]
KEY = {"submissions": lambda r: r.get("id"), "attachments": lambda r: r.get("id"), "outbox": lambda r: r.get("id"),
       "kv": lambda r: r.get("key"), "forms": lambda r: f"{r.get('id')}|{r.get('version')}",
       "datasets": lambda r: f"{r.get('name')}|{r.get('key')}"}


def combination(number):
    cipher = rng.choice(["4", "4", "3", "2", "1", "plain", "plain"])
    words = ["--seed", str(seed * 1000 + number), "--rows", str(rng.choice([40, 120])), "--cipher", cipher]
    damage = rng.choice(DAMAGE)
    if cipher != "plain" and rng.random() < .4 and "page1" not in damage:
        words.append("--passphrase")
    size = rng.choice([None, None, 512 if cipher == "plain" else 1024, 1024, 2048, 4096, 8192, 16384, 65536])
    words += ["--page-size", str(size)] if size else []
    words += ["--damage", damage] if damage else []
    for flag, share in (("--wal", .25), ("--jsonb", .3), ("--utf16", .2), ("--auto-vacuum", .25), ("--fts", .2), ("--field-key", .15)):
        words += [flag] if rng.random() < share else []
    words += ["--delete", str(rng.choice([.05, .2, .5]))] if rng.random() < .5 else []
    if cipher == "4" and "--passphrase" not in words and rng.random() < .2:
        words.append("--rekey-cut")
    return words


def rows(out):
    for path in (out / "rows").glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line:
                yield path.stem, json.loads(line, strict=False)


def differences(made, out):
    truth = json.loads((made / "truth.json").read_text())
    here = {t: truth["recoverable"].get(t, []) for t in KEY}
    known = {t: set(here[t]) | set(truth["lost"].get(t, [])) | set(truth["inWal"].get(t, [])) for t in KEY}
    known["submissions"] |= set(truth["deleted"])
    got, deleted = {t: {} for t in KEY}, set()
    for table, line in rows(out):
        if table not in KEY:
            continue
        key, notes = KEY[table](line["row"]), line["provenance"].get("notes", [])
        key = key if isinstance(key, (str, type(None))) else repr(key)
        if line["kind"] in ("live", "orphan"):
            got[table].setdefault(key, []).append(line)
        elif table == "submissions":
            deleted.add(key)
            if key in here[table] and "older-version" not in notes:
                yield f"live row called deleted: {key}"
        if line["grade"] in GOOD and key not in known[table]:
            yield f"never there: {table} {key}"
    for table in KEY:
        for key in here[table] + truth["inWal"].get(table, []):
            lines = got[table].get(key)
            if not lines:
                yield f"missing: {table} {key}"
            elif key in here[table] and not any(line["grade"] in GOOD for line in lines):
                yield f"graded too low: {table} {key} {[line['grade'] for line in lines]}"
            elif table == "submissions":
                if not any(fleet.digest(line["row"]) == truth["checksums"][key] for line in lines):
                    yield f"not what was written: {key}"
                for line in lines:
                    if line["grade"] in ("verified", "intact") and fleet.digest(line["row"]) != truth["checksums"][key]:
                        yield f"altered and unmarked: {key} {line['grade']}"
    for key in truth["deletedThere"]:
        if key not in deleted:
            yield f"deleted row not found: {key}"


failed = 0
for number in range(count):
    made, out = folder / f"made-{number}", folder / f"out-{number}"
    words = combination(number)
    subprocess.run([sys.executable, devicedb.__file__, str(made)] + words, check=True, capture_output=True)
    keys = [w for f in ("key.txt", "key2.txt") if (made / f).exists() for w in ("--key-file", str(made / f))]
    keys += ["--passphrase-file", str(made / "passphrase.txt")] if (made / "passphrase.txt").exists() else []
    keys += ["--field-key", f"f1={made / 'field.key'}"] if (made / "field.key").exists() else []
    run = subprocess.run([rasdkit, "salvage", "--quiet", "--to", str(out)] + keys + [str(made)], capture_output=True, text=True)
    wrong = list(differences(made, out)) if run.returncode in (0, 1) else [f"exit {run.returncode}: {run.stderr[-300:]}"]
    if wrong:
        failed += 1
        print(" ".join(words), f"\n  {len(wrong)} differ:", "\n  ".join(wrong[:4]))
    shutil.rmtree(made), shutil.rmtree(out, ignore_errors=True)
print(f"{count} databases, {failed} differ")
sys.exit(1 if failed else 0)
