"""Compare a store's JSONL export and report with the truth of a made fleet.

    compare_fleet.py TRUTH.json EXPORT_DIR REPORT.jsonl

Shares nothing with the product: canonical JSON is PyPI's rfc8785. Prints one line a
difference and how many facts it compared; exits 1 where there is a difference.
"""
import hashlib, json, sys
from pathlib import Path

import rfc8785

truth = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
folder, report = Path(sys.argv[2]), Path(sys.argv[3])
differences, compared = [], 0


def number(text):  # as JavaScript reads it: every number is a double
    return int(text) if len(text) < 16 else float(text)


def rows(table):
    path = folder / f"{table}.jsonl"
    if not path.exists():
        return []
    return [json.loads(line, parse_int=number) for line in path.read_text(encoding="utf-8").split("\n") if line]


def row_hash(row):
    return hashlib.sha256(rfc8785.dumps(row)).hexdigest()


def same(what, found, expected):
    global compared
    compared += 1
    if found != expected:
        differences.append(f"{what}: found {found!r}, expected {expected!r}")


submissions = {row["id"]: row for row in rows("submissions")}
versions = {}
for line in rows("submission_versions"):
    versions.setdefault(line["id"], []).append(line)
same("submission ids", sorted(submissions), sorted(truth["submissions"]))
for sid, expected in truth["submissions"].items():
    row, lines = submissions.get(sid), versions.get(sid, [])
    if row is None:
        continue
    visible = [line for line in lines if line["visible"]]
    same(f"{sid} visible versions", len(visible), 1)
    if not visible:
        continue
    same(f"{sid} clientRev", row["clientRev"], expected["clientRev"])
    same(f"{sid} serverRev", row.get("serverRev") if row.get("serverRev") is not None else -1, expected["serverRev"])
    same(f"{sid} status", row["status"], expected["status"])
    same(f"{sid} digest", visible[0]["digest"], expected["digest"])
    same(f"{sid} conflict", visible[0]["conflict"], expected["conflict"])
    same(f"{sid} versions", len(lines), expected["versions"])
    hashes = {row_hash(row)} | ({row_hash({**row, "status": "sending"})} if row["status"] == "queued" else set())
    same(f"{sid} row", expected["rowHash"] in hashes, True)

datasets = {f"{row['name']}|{row['key']}": {"rowHash": row_hash(row), "deleted": row["deleted"]} for row in rows("datasets")}
same("datasets", datasets, truth["datasets"])
same("forms", {f"{row['id']}@{row['version']}": row["definitionHash"] for row in rows("forms")}, truth["forms"])

outbox = rows("outbox")
same("queued", sorted(row["targetId"] for row in outbox if row["kind"] == "submission"), truth["queued"])
same("queued ids", {row["id"] for row in outbox if row["kind"] == "submission"}, {"submission:" + k for k in truth["queued"]})
same("records", len([row for row in outbox if row["kind"] == "record"]), truth["records"])

held = {hashlib.sha256(path.read_bytes()).hexdigest() for path in (folder / "attachments").glob("*")} \
    if (folder / "attachments").exists() else set()
same("held blobs", sorted(held), truth["blobs"])
pending = {row["id"] for row in rows("attachments") if row["status"] == "pending" and row["sha256"] in held}
same("attachments due", {row["targetId"] for row in outbox if row["kind"] == "attachment"}, pending)

events = [json.loads(line) for line in report.read_text(encoding="utf-8").split("\n") if line]
rejected = [event for event in events if event["event"] == "row" and event.get("outcome") == "rejected"]
same("rejected rows", len(rejected), len(truth["rejected"]))
same("rejected ids", sorted(event["key"] for event in rejected), sorted(x["id"] for x in truth["rejected"]))
bad = {event.get("id") for event in events if event["event"] == "blob" and event.get("reason") == "blob-hash-mismatch"}
same("refused blobs", sorted(bad), sorted({x["id"] for x in truth["badBlobs"]}))
finished = [event for event in events if event["event"] == "run.finished"]
same("finished", len(finished), 1)
if finished:
    end = finished[0]
    read = sum(sum(counts.values()) for counts in truth["counts"].values())
    same("sum of outcomes", end["imported"] + end["skipped"] + end["conflicts"] + end["rejected"], read)
    same("rejected total", end["rejected"], len(truth["rejected"]))

print("\n".join(differences[:20] + [f"{compared} facts compared, {len(differences)} differ"]))
sys.exit(1 if differences or compared < 10 else 0)
