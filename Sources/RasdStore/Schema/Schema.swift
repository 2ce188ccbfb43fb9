/// The store's schema, step by step; a released step is never changed.
enum Schema {
  static let migrations: [Migration] = [
    Migration(id: "0001_observations", target: 1, source: observations + views)
  ]

  /// Observations are rows as delivered; each text stands once, its large member apart, so
  /// that observations with equal bodies share one and the rest can be scanned quickly.
  ///
  /// - `proved_files`: the files as which a source was read whole, by what tells a file from one
  ///   that was put in its place.
  /// - `khash`: the first 8 bytes of SHA-256 of table and key, the one index with random
  ///   order. The key itself is compared too.
  /// - `text_hash`: SHA-256 of the text where that is not the canonical form, else NULL. Rows
  ///   with equal `hash` are spellings of one observation.
  /// - `spelling_of`: the row that was the first spelling, NULL for the first itself.
  /// - `seen`: 0 no, 1 yes, 2 yes and in conflict.
  /// - `grades`: what the salvage's line that is the observation `line` says of another one.
  /// - `at`, `at_part`: the time that orders the table, seconds and 10⁻¹⁸ s, NULL if unreadable.
  /// - What `status`, `digest`, `ref` and the other facts are of each table: `FactsColumns`.
  static let observations = """
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

    CREATE TABLE table_names (tid INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    INSERT INTO table_names (tid, name) VALUES
      (1, 'forms'), (2, 'submissions'), (3, 'attachments'), (4, 'datasets'), (5, 'outbox'),
      (6, 'kv');

    CREATE TABLE namespaces (nsid INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

    CREATE TABLE sources (
      source INTEGER PRIMARY KEY,
      export_id TEXT NOT NULL, manifest BLOB NOT NULL, jsonl BLOB NOT NULL,
      origin TEXT NOT NULL, nsid INTEGER NOT NULL, exported_at TEXT, sequence INTEGER,
      is_partial INTEGER NOT NULL, label TEXT NOT NULL,
      state INTEGER NOT NULL, retracted INTEGER NOT NULL DEFAULT 0,
      entry INTEGER NOT NULL, row INTEGER NOT NULL, tally TEXT NOT NULL,
      UNIQUE (export_id, manifest, jsonl));

    CREATE TABLE proved_files (
      source INTEGER NOT NULL, file TEXT NOT NULL, PRIMARY KEY (source, file)) WITHOUT ROWID;

    CREATE TABLE bodies (bid INTEGER PRIMARY KEY, text TEXT NOT NULL);

    CREATE TABLE observations (
      oid INTEGER PRIMARY KEY,
      khash INTEGER NOT NULL, tid INTEGER NOT NULL, key TEXT NOT NULL,
      hash BLOB NOT NULL, text_hash BLOB, spelling_of INTEGER, seen INTEGER NOT NULL,
      status INTEGER, rev INTEGER, server_rev INTEGER, at INTEGER, at_part INTEGER,
      digest BLOB, twin BLOB, ref TEXT, ref_version TEXT, size INTEGER, listed BLOB,
      notices INTEGER NOT NULL,
      head TEXT NOT NULL, body INTEGER, tail TEXT);
    CREATE INDEX observations_key ON observations (khash);
    CREATE INDEX observations_spellings ON observations (spelling_of)
      WHERE spelling_of IS NOT NULL;
    CREATE INDEX observations_contested ON observations (tid, key) WHERE seen = 2;

    CREATE TABLE deliveries (
      oid INTEGER NOT NULL, source INTEGER NOT NULL, nsid INTEGER NOT NULL,
      is_ahead INTEGER NOT NULL,
      PRIMARY KEY (oid, source, nsid)) WITHOUT ROWID;
    CREATE INDEX deliveries_ahead ON deliveries (source) WHERE is_ahead = 1;

    CREATE TABLE grades (
      tid INTEGER NOT NULL, hash BLOB NOT NULL, line INTEGER NOT NULL,
      grade TEXT NOT NULL, kind TEXT NOT NULL,
      PRIMARY KEY (tid, hash, line)) WITHOUT ROWID;

    CREATE TABLE pins (
      key TEXT PRIMARY KEY, rev INTEGER NOT NULL, digest BLOB NOT NULL, until INTEGER NOT NULL)
      WITHOUT ROWID;

    CREATE TABLE blobs (blob INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL);
    CREATE TABLE blob_deliveries (
      blob INTEGER NOT NULL, source INTEGER NOT NULL, id TEXT NOT NULL, mime TEXT,
      PRIMARY KEY (blob, source, id)) WITHOUT ROWID;

    CREATE TABLE quarantine (
      source INTEGER NOT NULL, number INTEGER NOT NULL, tid INTEGER, line INTEGER,
      key TEXT, reason TEXT NOT NULL, fault TEXT, text BLOB, sha256 BLOB, bytes INTEGER,
      PRIMARY KEY (source, number)) WITHOUT ROWID;

    CREATE TABLE staged (
      source INTEGER NOT NULL, tid INTEGER NOT NULL, hash BLOB NOT NULL, line TEXT, row TEXT,
      PRIMARY KEY (source, tid, hash)) WITHOUT ROWID;

    """

  /// What a reader sees, under the names of the Rasd storage specification (§5).
  static let views = """
    CREATE VIEW seen_rows AS
      SELECT o.oid, o.tid, o.key, o.seen, o.status, o.size, o.digest,
        o.head || coalesce(b.text, '') || coalesce(o.tail, '') AS row
      FROM observations o LEFT JOIN bodies b ON b.bid = o.body
      WHERE o.seen > 0;

    CREATE VIEW forms AS
      SELECT json_extract(row, '$.id') AS id, json_extract(row, '$.version') AS version,
        json_extract(row, '$.definitionHash') AS definition_hash,
        json_extract(row, '$.title') AS title, json_extract(row, '$.rasd') AS rasd,
        json_extract(row, '$.publishedAt') AS published_at,
        json_extract(row, '$.updatedAt') AS updated_at, json_extract(row, '$.jws') AS jws,
        json_extract(row, '$.definition') AS definition
      FROM seen_rows WHERE tid = 1;

    CREATE VIEW submissions AS
      SELECT json_extract(row, '$.id') AS id, json_extract(row, '$.formId') AS form_id,
        json_extract(row, '$.formVersion') AS form_version,
        json_extract(row, '$.definitionHash') AS definition_hash,
        CASE json_extract(row, '$.status') WHEN 'sending' THEN 'queued'
          ELSE json_extract(row, '$.status') END AS status,
        json_extract(row, '$.instanceName') AS instance_name,
        json_extract(row, '$.clientRev') AS client_rev,
        json_extract(row, '$.serverRev') AS server_rev,
        json_extract(row, '$.createdAt') AS created_at,
        json_extract(row, '$.updatedAt') AS updated_at,
        json_extract(row, '$.finalizedAt') AS finalized_at,
        json_extract(row, '$.syncedAt') AS synced_at, json_extract(row, '$.checksum') AS checksum,
        json_object('data', json_extract(row, '$.data'), 'meta', json_extract(row, '$.meta'),
          'attachments', json_extract(row, '$.attachments'),
          'audit', json_extract(row, '$.audit'), 'ext', json_extract(row, '$.ext')) AS body
      FROM seen_rows WHERE tid = 2;

    CREATE VIEW attachments AS
      SELECT json_extract(row, '$.id') AS id, json_extract(row, '$.submissionId') AS submission_id,
        json_extract(row, '$.field') AS field, json_extract(row, '$.mime') AS mime,
        json_extract(row, '$.bytes') AS bytes, json_extract(row, '$.sha256') AS sha256,
        CASE json_extract(row, '$.status') WHEN 'uploading' THEN 'pending'
          ELSE json_extract(row, '$.status') END AS status,
        json_extract(row, '$.remoteId') AS remote_id,
        json_extract(row, '$.uploadUrl') AS upload_url,
        json_extract(row, '$.uploadOffset') AS upload_offset,
        json_extract(row, '$.createdAt') AS created_at,
        json_extract(row, '$.updatedAt') AS updated_at
      FROM seen_rows WHERE tid = 3;

    CREATE VIEW datasets AS
      SELECT json_extract(row, '$.name') AS name, json_extract(row, '$.key') AS key,
        json_extract(row, '$.labelNorm') AS label_norm,
        json_extract(row, '$.updatedAt') AS updated_at,
        json_extract(row, '$.deleted') AS deleted, json_extract(row, '$.row') AS row
      FROM seen_rows WHERE tid = 4;

    CREATE VIEW held_blobs AS
      SELECT b.blob, b.sha256, b.bytes FROM blobs b
      WHERE EXISTS (
        SELECT 1 FROM blob_deliveries d JOIN sources s ON s.source = d.source
        WHERE d.blob = b.blob AND s.retracted = 0);

    CREATE VIEW outbox AS
      SELECT json_extract(key, '$[0]') AS namespace, json_extract(row, '$.id') AS id,
        json_extract(row, '$.kind') AS kind, json_extract(row, '$.targetId') AS target_id,
        json_extract(row, '$.formId') AS form_id,
        CASE json_extract(row, '$.status') WHEN 'leased' THEN 'pending'
          ELSE json_extract(row, '$.status') END AS status,
        json_extract(row, '$.priority') AS priority, json_extract(row, '$.attempts') AS attempts,
        json_extract(row, '$.nextAttemptAt') AS next_attempt_at,
        json_extract(row, '$.lastError') AS last_error,
        json_extract(row, '$.createdAt') AS created_at, json_extract(row, '$.payload') AS payload
      FROM seen_rows WHERE tid = 5
      UNION ALL
      SELECT NULL, 'submission:' || id, 'submission', id, form_id, 'pending', 0, 0, updated_at,
        NULL, created_at, NULL
      FROM submissions WHERE status = 'queued'
      UNION ALL
      SELECT NULL, 'attachment:' || json_extract(row, '$.id'), 'attachment',
        json_extract(row, '$.id'), NULL, 'pending', 0, 0, json_extract(row, '$.updatedAt'),
        NULL, json_extract(row, '$.createdAt'), NULL
      FROM seen_rows WHERE tid = 3 AND json_extract(row, '$.status') IN ('pending', 'uploading')
        AND digest IN (SELECT sha256 FROM held_blobs);

    CREATE VIEW kv AS
      SELECT json_extract(key, '$[0]') AS namespace, json_extract(row, '$.key') AS key,
        json_extract(row, '$.value') AS value, json_extract(row, '$.updatedAt') AS updated_at
      FROM seen_rows WHERE tid = 6;
    """
}
