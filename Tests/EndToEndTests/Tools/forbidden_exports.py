"""Exports that break one sentence of Docs/rasdx.md each, in each suite in which they can.

    forbidden_exports.py FOLDER

writes them and expect.json: the reason that each must be refused for.
"""
import json, sys
from pathlib import Path

from literal_writer import SUITES, Export, Part, write_keys

FOLDER = Path(sys.argv[1])
EXPECT, SEALED, NUMBER = {}, SUITES[:2], iter(range(1, 10_000))


def refused(name, reason, suites=SUITES, pieces=None, **hooks):
    hooks = {stage.replace("_", " "): change for stage, change in hooks.items()}
    for suite in suites:
        file = f"{name}, {suite.split('-')[0]}.rasdx"
        assert file not in EXPECT
        EXPECT[file] = reason
        export = Export(next(NUMBER), odd=False, suite=suite, pieces=pieces, hooks=hooks)
        (FOLDER / "exports" / file).write_bytes(export.build())


def members(**change):
    """A manifest with members changed; None takes one away."""
    def edit(e, m):
        for k, v in change.items():
            v = v(e, m) if callable(v) else v
            m.pop(k, None)
            if v is not None:
                m[k] = v
    return edit


def slot(**change):
    def edit(e, m):
        m["slots"][0].update(change)
    return edit


def slots(*kinds):
    def edit(e, m):
        m["slots"] = [e.slot(k) for k in kinds]
    return edit


def part(name, **change):
    def edit(e, p):
        if p.name == name:
            for k, v in change.items():
                setattr(p, k, v(p) if callable(v) else v)
    return edit


def named(entry):
    return entry.name if isinstance(entry, Part) else entry[0]


def dropped(name):
    return lambda e, entries: [x for x in entries if named(x) != name]


def moved(name, before):
    def edit(e, entries):
        one = next(x for x in entries if named(x) == name)
        rest = [x for x in entries if x is not one]
        at = next(i for i, x in enumerate(rest) if named(x) == before)
        return rest[:at] + [one] + rest[at:]
    return edit


def clear(name, change):
    return lambda e, entries: [(name, change(x[1])) if named(x) == name else x for x in entries]


def entry(which, **change):
    """An entry's headers changed; a callable gets the entry."""
    def edit(e, archive):
        for x in archive.entries:
            if x.name == which.encode():
                for k, v in change.items():
                    setattr(x, k, v(x) if callable(v) else v)
    return edit


def renamed(old, new):
    return entry(old, name=new, local_name=new)


def end(**change):
    return lambda e, record: record.update({k: v(record[k]) if callable(v) else v for k, v in change.items()})


def inventory(change):
    return lambda e, records: change(records)


(FOLDER / "exports").mkdir(parents=True)
write_keys(FOLDER)
SUBS, FORMS, PHOTO = "submissions.jsonl", "forms.jsonl", "attachments/photo"
flip = lambda b: b[:-1] + bytes([b[-1] ^ 1])

# Entries, in this order
for name in ("meta.json", "forms.jsonl", "blobs.jsonl", "manifest.json", "manifest.copy.json"):
    refused(f"no {name}", "entry-missing", entries=dropped(name))
refused("no blob", "entry-missing", entries=dropped(PHOTO), pieces=10)
refused("a blob's part missing", "entry-missing", entries=dropped(PHOTO + ".000001"), pieces=1)
refused("a table's part missing", "entry-missing", entries=dropped(SUBS + ".000001"), pieces=1)
refused("a table's last part missing", "entry-missing", entries=dropped(SUBS + ".000002"), pieces=1)
refused("no end.json", "truncated", entries=dropped("end.json"))
refused("meta.json after a table", "part-order", entries=moved("meta.json", SUBS))
refused("tables in another order", "part-order", entries=moved(SUBS, FORMS))
refused("inventory before the blobs", "part-order", entries=moved("blobs.jsonl", PHOTO))
refused("parts in another order", "part-order", entries=moved(SUBS + ".000001", SUBS), pieces=1)
refused("a table that has no entry", "entry-missing", manifest=members(tables=lambda e, m: m["tables"] + ["x_gone"]))
refused("an entry that no table lists", "unsafe-container", entries=lambda e, x: x[:3] + [Part("x_more.jsonl")] + x[3:])
for word, name in {"five digits": FORMS + ".00001", "part zero": FORMS + ".000000", "seven digits of six": FORMS + ".0000001",
                   "lower-case escape": "attachments/%2e", "needless escape": "attachments/%41", "unescaped dot": "attachments/a.b",
                   "129 bytes": "attachments/" + "a" * 129, "no UTF-8": "attachments/%FF", "absolute": "/etc/passwd", "parent": "../forms.jsonl",
                   "backslash": "attachments\\x", "NUL": "forms.jsonl\0", "newline": "forms.jsonl\n", "other directory": "other/", "empty": "",
                   "nested": "attachments/a/b", "no letter": "9.jsonl", "stranger": "README"}.items():
    refused(f"name, {word}", "unsafe-container", ["none"], archive=renamed(FORMS, name.encode()))
refused("a legacy encoding", "unsafe-container", ["none"], archive=renamed(FORMS, "الصورة.jpg".encode("cp1256")))
refused("equal but for case", "unsafe-container", ["none"], archive=renamed(FORMS, b"Submissions.jsonl"))
refused("two equal names", "unsafe-container", ["none"], archive=renamed(FORMS, SUBS.encode()))

# ZIP
ZIP = dict(suites=["none"])
refused("encryption bit", "unsafe-container", **ZIP, archive=entry(FORMS, flags=1))
refused("method 12", "unsafe-container", **ZIP, archive=entry(FORMS, method=12))
refused("a link", "unsafe-container", **ZIP, archive=entry(FORMS, external=0o120777 << 16))
refused("a full directory entry", "unsafe-container", **ZIP, archive=renamed(FORMS, b"attachments/"))
refused("local name", "unsafe-container", **ZIP, archive=entry(FORMS, local_name=b"Forms.jsonl"))
for field, value in {"flags": 2, "method": 8, "crc": 7, "stored": 1, "size": 1}.items():
    refused(f"local {field}", "unsafe-container", **ZIP, archive=entry(FORMS, local={field: value}))
refused("a gap", "unsafe-container", **ZIP, archive=entry(FORMS, tail=b"junk"))
refused("bytes before", "unsafe-container", **ZIP, file=lambda e, b: b"junk" + b)
refused("bytes after", "unsafe-container", **ZIP, file=lambda e, b: b + b"junk")
refused("a comment", "unsafe-container", **ZIP, file=lambda e, b: b[:-2] + b"\4\0junk")
refused("a longer entry", "unsafe-container", **ZIP,
        sealed=lambda e, x: [(n, bytes((16 << 20) + (1 << 18))) if n == FORMS else (n, d) for n, d in x])
refused("a wrong CRC", "entry-damaged", archive=entry(SUBS, crc=lambda x: x.crc ^ 1))
refused("a flipped bit under a right CRC", "entry-damaged", SEALED, sealed=lambda e, x: [(n, flip(d) if n == SUBS else d) for n, d in x])
refused("cut", "truncated", file=lambda e, b: b[:len(b) // 2])
refused("nothing", "empty", ["none"], file=lambda e, b: b"")
refused("no ZIP", "not-an-export", ["none"], file=lambda e, b: b"GIF89a" * 20)

# manifest.json
refused("another beginning", "manifest-invalid", manifest_bytes=lambda e, b: b'{ "rasdx":1,' + b[11:])
refused("over 64 KiB", "manifest-invalid", manifest=members(zz="x" * 70_000))
refused("a doubled member", "manifest-invalid", manifest_bytes=lambda e, b: b[:-1] + b',"rasd":"1.0"}')
for word, change in {"id in upper case": dict(exportId="0199A7C2-0000-4000-8000-000000000000"), "no id": dict(exportId=None),
                     "no namespace": dict(namespace=None), "namespace in upper case": dict(namespace="Lit.u"), "no tables": dict(tables=None),
                     "257 tables": dict(tables=[f"x_{i}" for i in range(257)]), "a table of no kind": dict(tables=["nonsense"]),
                     "storageVersion a text": dict(storageVersion="1"), "no suite": dict(suite=None), "no exportedAt": dict(exportedAt=None)}.items():
    refused(word, "manifest-invalid", manifest=members(**change))
PLAIN = "manifest-invalid", ["none"]
refused("slots without a seal", *PLAIN, manifest=members(slots=[]))
refused("a commitment without a seal", *PLAIN, manifest=members(keyCommit="A" * 43))
for word, change in {"padded base64": lambda e, m: m["keyCommit"] + "=", "no canonical base64": lambda e, m: m["keyCommit"][:-1] + "_",
                     "a short commitment": "A" * 42, "base64 and not base64url": "+" * 43}.items():
    refused(word, "manifest-invalid", SEALED, manifest=members(keyCommit=change))
refused("no slot", "manifest-invalid", SEALED, manifest=members(slots=[]))
refused("33 slots", "manifest-invalid", SEALED, manifest=slots(*["key"] * 33))
refused("a short salt", "manifest-invalid", SEALED, manifest=lambda e, m: m.update(slots=[e.slot("passphrase") | {"salt": "A" * 20}]))
refused("a kid of 65 bytes", "manifest-invalid", SEALED, manifest=slot(kid="k" * 65))
refused("a kid that is not the envelope's length", "manifest-invalid", SEALED, manifest=slot(kid="kk"))
refused("another kid than the envelope's", "wrong-key", SEALED, manifest=slot(kid="q"))
refused("rasdx of the future", "unsupported-version", manifest_bytes=lambda e, b: b.replace(b'"rasdx":1,', b'"rasdx":2,', 1))
refused("a critical member of the future", "unsupported-version", manifest=members(crit=["tomorrow"]))
refused("a suite of the future", "unsupported-version", manifest=members(suite="aegis"))
refused("an end record of the future", "unsupported-version", end=end(rasdxEnd=2))
refused("too few iterations", "kdf-limits", SEALED, manifest=lambda e, m: m.update(slots=[e.slot("passphrase") | {"iterations": 99_999}]))
refused("too many iterations", "kdf-limits", SEALED, manifest=lambda e, m: m.update(slots=[e.slot("passphrase") | {"iterations": 10_000_001}]))
refused("another's key", "wrong-key", SEALED, manifest=slots("other key"))
refused("slots of no known kind", "no-matching-slot", SEALED, manifest=members(slots=[{"type": "argon2id"}]))
refused("another copy", "manifest-altered", entries=clear("manifest.copy.json", lambda b: b.replace(b'"1.0"', b'"1.1"')))
refused("another manifest", "manifest-altered", entries=clear("manifest.json", lambda b: b.replace(b'"1.0"', b'"1.1"')))
refused("another manifest and copy", "manifest-altered", SEALED,
        sealed=lambda e, x: [(n, d.replace(b'"1.0"', b'"1.1"') if n.startswith("manifest") else d) for n, d in x])

# Parts
for word, change in {"codec 2": dict(codec=2), "flag 2": dict(flags=3), "a third byte": dict(zero=1), "over 16 MiB": dict(length=(16 << 20) + 1),
                     "an offset": dict(offset=1), "a row number": dict(rows=1), "no LF at its end": dict(body=lambda p: p.body[:-1] + b" ")}.items():
    refused(f"part, {word}", "part-order", part=part(SUBS, **change))
refused("part, not the last and no other", "entry-missing", part=part(SUBS, last=False))
refused("part, last and another follows", "part-order", pieces=1, part=part(SUBS, last=True))
refused("part, empty and not alone", "part-order", entries=lambda e, x: [y for p in x for y in (
    [Part(SUBS, p.body, False), Part(SUBS + ".000001", b"", True, len(p.body), 3)] if named(p) == SUBS else [p])])
refused("part, longer than it says", "count-mismatch", part=part(SUBS, length=lambda p: len(p.body) - 1))
refused("part, shorter than it says", "count-mismatch", part=part(SUBS, length=lambda p: len(p.body) + 1))
refused("part, rows in a blob", "part-order", part=part(PHOTO, rows=1))
refused("part, meta.json not the last", "part-order", part=part("meta.json", last=False))
refused("meta.json no object", "manifest-invalid", part=part("meta.json", body=b"[]"))

# The inventory and end.json
refused("inventory, other parts", "count-mismatch", inventory=inventory(lambda r: [r[0] | {"parts": 9}]))
refused("inventory, a blob unlisted", "count-mismatch", inventory=inventory(lambda r: []))
refused("inventory, a blob of another name", "entry-missing", inventory=inventory(lambda r: [r[0] | {"id": "photo2"}]))
refused("inventory, a blob twice", "count-mismatch", inventory=inventory(lambda r: r * 2))
refused("inventory, no record", "count-mismatch", inventory=inventory(lambda r: [{"id": "photo"}]))
refused("inventory, hash in upper case", "count-mismatch", inventory=inventory(lambda r: [r[0] | {"sha256": r[0]["sha256"].upper()}]))
for word, change in {"rows": dict(rows=lambda n: n + 1), "entries": dict(entries=lambda n: n + 1), "id": dict(exportId="0"), "no hash": dict(jsonlSha256=""),
                     "parts": dict(blobs=lambda b: b | {"parts": 9}), "bytes": dict(tables=lambda t: [t[0] | {"bytes": 1}] + t[1:]),
                     "order": dict(tables=lambda t: t[::-1])}.items():
    refused(f"end, other {word}", "count-mismatch", end=end(**change))
refused("end, other hash", "total-hash-mismatch", end=end(jsonlSha256="0" * 64))

(FOLDER / "expect.json").write_text(json.dumps(EXPECT))
