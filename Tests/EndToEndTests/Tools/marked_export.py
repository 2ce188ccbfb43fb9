"""Write an export in which everything private carries a marker.

    marked_export.py FILE PASSPHRASE_FILE MARKER [ROWS]
"""
import hashlib, random, sys

import fleet, rasdx

path, passphrase_file, marker, count = sys.argv[1], sys.argv[2], sys.argv[3], int((sys.argv[4:] or ["60"])[0])
rng = random.Random(5)
at = "2026-09-01T06:00:00Z"
definition = {"rasd": "1.0", "id": "household", "version": "1.0.0", "title": marker}
submissions, attachments, blobs = [], [], {}
for i in range(count):
    blob = b"\xff\xd8\xff" + marker.encode() + rng.randbytes(30_000) + marker.encode()
    blobs[f"photo-{i}"] = blob
    listed = {"id": f"photo-{i}", "field": "photo", "mime": "image/jpeg", "bytes": len(blob),
              "sha256": hashlib.sha256(blob).hexdigest(), "name": f"{marker}.jpg"}
    attachments.append({k: listed[k] for k in ("id", "field", "mime", "bytes", "sha256")} |
                       {"submissionId": f"s-{i}", "status": "pending", "uploadOffset": 0, "createdAt": at, "updatedAt": at})
    row = {"id": f"s-{i}", "formId": "household", "formVersion": "1.0.0", "status": "queued", "instanceName": f"{marker} {i}",
           "clientRev": 1, "createdAt": at, "updatedAt": at, "finalizedAt": at, "data": {"name": marker, "n": i, marker: 1},
           "meta": {"finalizedAt": at}, "attachments": [listed], "audit": [{"old": marker}]}
    row["checksum"] = fleet.checksum(row)
    if i % 20 == 7:  # refused: its data changed after its checksum
        row["data"]["n"] = -1
    submissions.append(row)
tables = {
    "forms": [{"id": "household", "version": "1.0.0", "rasd": "1.0", "title": marker, "updatedAt": at, "publishedAt": at,
               "definition": definition, "definitionHash": "sha256:" + fleet.sha(fleet.rfc8785.dumps(definition))}],
    "submissions": submissions, "attachments": attachments,
    "datasets": [{"name": "people", "key": f"{marker}-{i}", "labelNorm": marker, "updatedAt": at, "deleted": False,
                  "row": {"label": marker}} for i in range(20)],
    "outbox": [{"id": "o-1", "kind": "record", "targetId": "r", "status": "dead", "priority": 0, "attempts": 3,
                "nextAttemptAt": at, "createdAt": at, "lastError": marker, "payload": {"x": marker}}],
    "kv": [{"key": f"{marker}-key", "value": {"v": marker}, "updatedAt": at}],
}
rasdx.write(path, namespace="wfp-jo.u_9", exported_at=at, tables=tables, blobs=blobs, rng=rng, iterations=100_000,
            slots=[("passphrase", open(passphrase_file, encoding="utf-8").read())], meta={"device": marker, "exportSeq": 1})
