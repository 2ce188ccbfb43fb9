/// A profile of an application that nobody has, with every member that a profile may have.
package enum BeeProfile {
  package static let text = """
    {
      "profile": 1,
      "name": "bee-log",
      "title": "A beekeeper's log",
      "tables": [
        {
          "sql": "CREATE TABLE hives (id INTEGER PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL, placed_at TEXT NOT NULL)",
          "columns": {
            "state": { "values": ["strong", "weak", "empty"] },
            "placed_at": { "pattern": "instant" }
          }
        },
        {
          "sql": "CREATE TABLE visits (id TEXT PRIMARY KEY, hive INTEGER NOT NULL, weight REAL, note TEXT, visited_at TEXT NOT NULL)",
          "columns": { "id": { "pattern": "uuid" }, "visited_at": { "pattern": "instant" } }
        },
        {
          "sql": "CREATE TABLE recordings (id INTEGER PRIMARY KEY, title TEXT NOT NULL, length INTEGER NOT NULL, digest TEXT)",
          "columns": { "length": { "pattern": "count" }, "digest": { "pattern": "sha256" } }
        },
        {
          "sql": "CREATE TABLE recording_parts (recording INTEGER NOT NULL, part INTEGER NOT NULL, samples BLOB NOT NULL, PRIMARY KEY (recording, part)) WITHOUT ROWID"
        },
        {
          "sql": "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL, changed_at TEXT NOT NULL)",
          "columns": { "value": { "pattern": "json" }, "changed_at": { "pattern": "instant" } },
          "row": {
            "table": "kv",
            "members": {
              "name": { "name": "key" },
              "value": { "form": "json" },
              "changed_at": { "name": "updatedAt", "form": "value" }
            }
          }
        }
      ],
      "indexes": ["CREATE INDEX visits_hive ON visits(hive, visited_at)"],
      "documents": [
        {
          "documents": "recordings", "id": "id", "bytes": "length", "sha256": "digest",
          "chunks": "recording_parts", "chunkDocument": "recording", "chunkIndex": "part",
          "chunkData": "samples", "chunkBytes": 1000, "firstIndex": 1
        }
      ]
    }
    """
}
