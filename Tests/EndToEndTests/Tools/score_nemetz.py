"""Score `rasdkit salvage` on the SQLite Forensic Corpus (Nemetz, Schmitt, Freiling, DFRWS EU 2018).

    score_nemetz.py CORPUS RASDKIT FOLDER

The right answer for deleted rows is each database's XML, for live rows what SQLite itself reads.
Prints a table by category and, last, one line of JSON with the sums. Standard library only.
"""
import base64, collections, json, sqlite3, subprocess, sys
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import unquote

corpus, rasdkit, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])


def value(v):
    if v is None:
        return None
    if isinstance(v, float):
        return "%.5f" % v
    if isinstance(v, dict):
        return "base64:" + v.get("base64", "")
    if isinstance(v, bytes):
        return "base64:" + base64.b64encode(v).decode()
    return str(v)


def written(text):
    if text is None or text == "NULL":
        return None
    try:
        return "%.5f" % float(text) if "." in text else text
    except ValueError:
        return text


def salvaged(database):
    out = folder / database.stem
    run = subprocess.run([rasdkit, "salvage", "--profile", "generic", "--to", str(out), "--quiet", str(database)],
                         capture_output=True, text=True)
    if run.returncode not in (0, 1, 3):
        sys.exit(f"{database.name}: exit {run.returncode}: {run.stderr[-300:]}")
    for path in sorted((out / "rows").glob("*.jsonl")) if run.returncode != 3 else []:
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line:
                row = json.loads(line, strict=False)
                yield "" if path.name == "%.jsonl" else unquote(path.stem), tuple(value(v) for v in row["row"].values()), row["kind"], row["grade"]


def living(database):
    rows = collections.Counter()
    con = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    con.text_factory = lambda b: b.decode("utf-8", "surrogateescape")
    for (table,) in con.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0").fetchall():
        quoted = '"' + table.replace('"', '""') + '"'
        for row in con.execute(f"SELECT * FROM {quoted}"):
            rows[(table, tuple(value(v) for v in row))] += 1
    return rows


def deleted(database):
    rows = collections.Counter()
    for element in ET.parse(database.with_suffix(".xml")).getroot().iter("element"):
        if element.find("meta/type").text != "table":
            continue
        dropped = element.find("meta/deleted").text == "True"
        for row in element.iter("row"):
            if dropped or row.get("deleted"):
                rows[tuple(written(c.find("content").text) for c in row.findall("column"))] += 1
    return rows


sums, table = collections.Counter(), collections.defaultdict(collections.Counter)
for database in sorted(corpus.glob("*/*.db")):
    category = table[database.parent.name]
    found = list(salvaged(database))
    live = living(database)
    got = collections.Counter((name, row) for name, row, kind, _ in found if kind == "live")
    category["live"] += sum(live.values())
    category["live missing"] += sum((live - got).values())
    if database.parent.name < "0A":
        continue
    right, alive = deleted(database), {row for _, row in live}
    category["deleted"] += sum(right.values())
    for _, row, kind, grade in found:
        if kind == "live":
            continue
        if right[row] > 0:
            right[row] -= 1
            category["found"] += 1
        elif row in alive:
            category["live called deleted"] += 1
        elif grade == "partial":
            category["partial"] += 1
        else:
            category["wrong"] += 1

columns = ["live", "live missing", "deleted", "found", "partial", "wrong", "live called deleted"]
print("category  " + "  ".join(columns))
for name in sorted(table):
    print(f"{name:8}  " + "  ".join(f"{table[name][c]:{len(c)}}" for c in columns))
    sums.update(table[name])
print(json.dumps({c: sums[c] for c in columns}))
