"""Words for making the exports of one test case; a case's own lines follow these.

    FOLDER is where the exports go; raw.key, the key they are sealed with, is made there.
"""
import hashlib, json, os, random, struct, sys, zipfile
from pathlib import Path

import fleet, rasdx

FOLDER = Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
KEY = bytes(range(32))
(FOLDER / "raw.key").write_text(KEY.hex() + "\n")
os.chmod(FOLDER / "raw.key", 0o600)
AT = "2026-09-01T06:00:00.000Z"
RNG = random.Random(99)
DEFINITION = {"rasd": "1.0", "id": "household", "version": "1.0.0", "title": "Household"}
FORM = {"id": "household", "version": "1.0.0", "rasd": "1.0", "title": "Household", "publishedAt": AT, "updatedAt": AT,
        "definition": DEFINITION, "definitionHash": "sha256:" + fleet.sha(fleet.rfc8785.dumps(DEFINITION))}


def sub(id, status="queued", rev=1, data=None, **more):
    """A submission; `more` overrides members; a non-draft gets its checksum."""
    row = {"id": id, "formId": "household", "formVersion": "1.0.0", "definitionHash": FORM["definitionHash"], "status": status,
           "instanceName": f"House {id}", "clientRev": rev, "createdAt": AT, "updatedAt": AT,
           "data": {"age": 30} if data is None else data, "meta": {"deviceId": "d"}, "attachments": [], "audit": []}
    row |= more
    if status != "draft" and "checksum" not in more:
        row["checksum"] = fleet.checksum(row)
    return row


def photo(id, sid, data, status="pending", **more):
    """An attachment's row and its item in the submission's list."""
    row = {"id": id, "submissionId": sid, "field": "photo", "mime": "image/jpeg", "bytes": len(data),
           "sha256": hashlib.sha256(data).hexdigest(), "status": status, "uploadOffset": 0, "createdAt": AT, "updatedAt": AT} | more
    return row, {k: row[k] for k in ("id", "field", "mime", "bytes", "sha256")}


def export(name, subs=(), namespace="wfp-jo.u_1", atts=(), blobs=None, at="2026-09-02T06:00:00Z", seq=1, forms=(FORM,), meta=None,
           raw=None, slots=None, **more):
    tables = {"forms": list(forms), "submissions": list(subs), "attachments": list(atts), "datasets": more.pop("datasets", []),
              "outbox": more.pop("outbox", []), "kv": more.pop("kv", [])} | more.pop("extra", {})
    rasdx.write(FOLDER / f"{name}.rasdx", namespace=namespace, exported_at=at, tables=tables, blobs=blobs or {}, rng=RNG,
                slots=[("key", KEY)] if slots is None else slots, iterations=100_000,
                meta={"app": "rasd", "platform": "test", "exportSeq": seq} | (meta or {}), raw_lines=raw, **more)
