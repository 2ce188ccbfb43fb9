"""A writer of .rasdx exports that knows Docs/rasdx.md and nothing else.

Whatever the page leaves open is chosen at random, and oddly; what it says is kept to the letter. It
shares no code with the project nor with the reference tools.

    literal_writer.py FOLDER COUNT FIRST-SEED

writes COUNT exports, their keys, and truth.json: what each holds and what was chosen for it.
"""
import base64, hashlib, hmac, json, os, random, struct, sys, unicodedata, uuid, zlib
from pathlib import Path

import rfc8785
from cryptography.hazmat.primitives import serialization as S
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

SUITES = ["c2sp-chunked-aes256gcm-sha512", "a256gcm-envelope", "none"]
RAW = hashlib.sha256(b"raw key").digest()
PASSPHRASE = "بطارية café 12"  # decomposed: NFC makes another text of it
X25519 = x25519.X25519PrivateKey.from_private_bytes(hashlib.sha256(b"x25519").digest())
P256 = ec.derive_private_key(int.from_bytes(hashlib.sha256(b"p256").digest(), "big") >> 1, ec.SECP256R1())


def b64(b):
    return base64.urlsafe_b64encode(b).decode().rstrip("=")


def sha(b):
    return hashlib.sha256(b).digest()


def expand(key, info, size, name):
    out, block, n = b"", b"", 0
    while len(out) < size:
        n += 1
        block = hmac.digest(key, block + info + bytes([n]), name)
        out += block
    return out[:size]


# ---- seals


def envelope(key, kid, iv, text, aad):
    return b"\x01" + bytes([len(kid)]) + kid + iv + AESGCM(key).encrypt(iv, text, aad)


def chunked(key, salt, text, context):
    """C2SP chunked-encryption, Cobblestone-256."""
    material = expand(key, b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + salt + context, 76, "sha512")
    cipher, nonce, out, n = AESGCM(material[:32]), material[32:44], salt + material[44:], 0
    while True:
        chunk, text = text[:16384], text[16384:]
        out += cipher.encrypt(nonce[:4] + struct.pack(">Q", struct.unpack(">Q", nonce[4:])[0] ^ n), chunk, None)
        n += 1
        if len(chunk) < 16384:
            return out


def raw_public(key):
    public = key.public_key()
    if isinstance(public, x25519.X25519PublicKey):
        return public.public_bytes_raw()
    return public.public_bytes(S.Encoding.X962, S.PublicFormat.UncompressedPoint)


def hpke(recipient, text, info):
    """RFC 9180, base mode, HKDF-SHA-256, AES-256-GCM, one message, no AAD."""
    if isinstance(recipient, x25519.X25519PrivateKey):
        number, mine = 32, x25519.X25519PrivateKey.generate()
        shared = mine.exchange(recipient.public_key())
    else:
        number, mine = 16, ec.generate_private_key(ec.SECP256R1())
        shared = mine.exchange(ec.ECDH(), recipient.public_key())
    enc = raw_public(mine)

    def labeled_extract(suite, salt, label, ikm):
        return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + ikm, "sha256")

    def labeled_expand(suite, key, label, context, size):
        return expand(key, struct.pack(">H", size) + b"HPKE-v1" + suite + label + context, size, "sha256")

    kem = b"KEM" + struct.pack(">H", number)
    secret = labeled_expand(kem, labeled_extract(kem, b"", b"eae_prk", shared), b"shared_secret", enc + raw_public(recipient), 32)
    suite = b"HPKE" + struct.pack(">HHH", number, 1, 2)
    schedule = b"\0" + labeled_extract(suite, b"", b"psk_id_hash", b"") + labeled_extract(suite, b"", b"info_hash", info)
    key = labeled_extract(suite, secret, b"secret", b"")
    cipher = AESGCM(labeled_expand(suite, key, b"key", schedule, 32))
    return number, enc, cipher.encrypt(labeled_expand(suite, key, b"base_nonce", schedule, 12), text, b"")


# ---- JSON, oddly written


class Odd:
    """Writes JSON as nobody does who is in his right mind and the grammar allows."""

    def __init__(self, rng):
        self.rng, self.level = rng, rng.random() ** 2

    def happens(self):
        return self.rng.random() < self.level

    def space(self):
        return "".join(self.rng.choices(" \t\r", k=self.rng.randrange(1, 4))) if self.happens() else ""

    def string(self, text):
        out = '"'
        for c in text:
            short = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(c)
            if c in '"\\' or c < " ":
                out += short if short and self.rng.random() < 0.5 else f"\\u{ord(c):04x}"
            elif c == "/" and self.happens():
                out += short
            elif self.happens() and self.happens():
                units = c.encode("utf-16-be")
                out += "".join(self.rng.choice(["\\u%04x", "\\u%04X"]) % n for n in struct.unpack(f">{len(units) // 2}H", units))
            else:
                out += c
        return out + '"'

    def number(self, n):
        if isinstance(n, int) and self.happens():
            forms = [f"{n}.0", f"{n}e0", f"{n}E+0", f"{n}.000e-0"] + ([f"{n // 10}e1", f"{n // 10}E+01"] if n % 10 == 0 and n else [])
            return self.rng.choice(forms)
        return json.dumps(n)

    def value(self, v):
        if isinstance(v, str):
            return self.string(v)
        if v is None or isinstance(v, bool):
            return json.dumps(v)
        if isinstance(v, (int, float)):
            return self.number(v)
        s = self.space
        if isinstance(v, list):
            return "[" + s() + ",".join(s() + self.value(x) + s() for x in v) + "]"
        return "{" + s() + ",".join(s() + self.string(k) + s() + ":" + s() + self.value(x) + s() for k, x in v.items()) + "}"

    def shuffled(self, members):
        items = list(members.items())
        if self.happens():
            self.rng.shuffle(items)
        return dict(items)

    def line(self, v):
        return (self.space() + self.value(self.shuffled(v)) + self.space().rstrip("\r")).encode()


ANYTHING = [None, True, 0, -0.5, "", "نص", [], {}, [[{"a": [None]}]], {"crit": ["x"], "": {"": 1}}]
TEXTS = ["", "بيت", "House 9", "🏠👩‍👩‍👧", "‮txt.exe", "a\0b", " ", "\\u0000", "é", "x" * 3000]
IDS = ["a", "-", "_", "..", "a/b", "/etc", ".000001", "x.jsonl", "manifest.json", "basemap:amman#0", "%41", "A\0B", "\n", "é", "é",
       "صورة", "🏠", "x" * 128, "é" * 64, "sha256:0", "a b", "~", "C:\\x", "aux", "A", "\u202e", "%"]


# ---- one export


class Part:
    def __init__(self, name, body=b"", last=True, offset=0, rows=0):
        self.name, self.body, self.last, self.offset, self.rows = name, body, last, offset, rows
        self.codec, self.flags, self.zero, self.length = 0, None, 0, None


class Export:
    """One export. `odd` chooses at random what is left open; a hook of a test may change each stage."""

    def __init__(self, seed, odd=True, suite=None, pieces=None, hooks=None):
        self.rng, self.odd, self.hooks, self.seed, self.pieces = random.Random(seed), odd, hooks or {}, seed, pieces
        self.json = Odd(self.rng)
        if not odd:
            self.json.level = 0
        self.chosen = {}
        self.suite = suite or self.choose("suite", SUITES)
        self.id = str(uuid.UUID(bytes=self.rng.randbytes(16)))
        self.eid = uuid.UUID(self.id).bytes
        self.key = self.rng.randbytes(32)
        self.namespace = "lit-org." + self.choose("user", [f"u{seed}", f"u.{seed}", f"u_-{seed}.", str(seed)])

    def choose(self, what, options):
        self.chosen[what] = pick = self.rng.choice(options) if self.odd else options[0]
        return pick

    def maybe(self, p=0.5):
        return self.odd and self.rng.random() < p

    def extra(self, members):
        """Members that nobody knows."""
        for i in range(self.rng.randrange(4) if self.maybe(0.4) else 0):
            members[self.rng.choice(["zz", "ext", "نص", "", "Id", "x-"]) + str(i)] = self.rng.choice(ANYTHING)
        return members

    def hook(self, stage, value):
        changed = self.hooks[stage](self, value) if stage in self.hooks else None
        return value if changed is None else changed

    # -- what it holds

    def submission(self, n):
        rng = self.rng
        status = self.choose("status", ["queued", "draft", "finalized", "synced", "rejected", "conflict"])
        row = {"id": f"s{self.seed}-{n}", "status": status, "clientRev": rng.choice([0, 1, 10, 2**53 - 1]) if self.odd else 1}
        at = ["2026-09-01T06:00:00.000Z", "2026-09-01T09:00:00+03:00", "2026-09-01t06:00:00.123456789z", "2026-09-01T06:00:00-00:00"]
        known = {"formId": "household", "formVersion": "1.0.0", "definitionHash": "sha256:" + "0" * 64, "instanceName": rng.choice(TEXTS),
                 "serverRev": rng.choice([None, 0, 3]), "createdAt": at[0], "updatedAt": rng.choice(at), "finalizedAt": None,
                 "syncedAt": None, "data": {"n": n, "t": rng.choice(TEXTS), "f": rng.choice([0.1, -0.0, 1e21, 5e-324, 120])},
                 "meta": {}, "attachments": rng.choice([[], None]), "audit": [], "ext": {}}
        row |= {k: v for k, v in known.items() if not self.maybe(0.3)}
        if status != "draft" and not self.maybe(0.1):
            p = {k: row[k] for k in ("id", "formId", "formVersion", "definitionHash", "data", "meta") if k in row}
            row["checksum"] = "sha256:" + sha(rfc8785.dumps(p | {"attachments": row.get("attachments") or []})).hex()
        return self.extra(row)

    def rows(self, table):
        rng, count = self.rng, self.rng.choice([0, 1, 2, 30]) if self.odd else 3
        if table == "submissions":
            return [self.submission(n) for n in range(count)]
        if table == "attachments":
            rows = []
            for id, data in self.blobs.items():
                row = {"id": id, "status": rng.choice(["pending", "failed", "uploaded"]), "sha256": sha(data).hex()}
                known = {"submissionId": None, "field": "photo", "mime": "image/jpeg", "name": "same.jpg", "bytes": len(data), "remoteId": None, "uploadUrl": None, "uploadOffset": 0, "updatedAt": "2026-09-01T06:00:00Z"}
                rows.append(self.extra(row | {k: v for k, v in known.items() if not self.maybe(0.3)}))
            rng.shuffle(rows)
            return rows
        made = {"forms": {"id": f"f{self.seed}", "version": "1"}, "datasets": {"name": f"d{self.seed}", "key": ""},
                "outbox": {"id": f"o{self.seed}-", "kind": "record", "status": "pending", "payload": {}},
                "kv": {"key": f"k{self.seed}-"}}.get(table, {"any": None})
        unique = {"forms": "version", "datasets": "key", "outbox": "id", "kv": "key"}.get(table, "any")
        return [self.extra(made | {unique: str(made[unique]) + str(n)}) for n in range(count)]

    def table_names(self):
        names = ["forms", "submissions", "attachments", "datasets", "outbox", "kv"]
        if self.odd:
            names += ["x_", "x_" + "q" * 62, "x_Tracks9", "x_blobs"]
            names = self.rng.sample(names, self.rng.randrange(len(names) + 1))
            names += [] if "attachments" in names else ["attachments"] if self.maybe() else []
        return names

    # -- parts

    def stream(self, name, pieces, is_rows):
        """Parts of a stream; a piece is a line with its LF, or a stretch of a blob."""
        parts, offset, row, n = [], 0, 0, 0
        most = self.pieces or self.choose("pieces a part", [10**9, 1, 3, 7])
        groups = [pieces[i:i + most] for i in range(0, len(pieces), most)] or [[]]
        for i, group in enumerate(groups):
            body = b"".join(group)
            parts.append(Part(name + (f".{i:06d}" if i else ""), body, i == len(groups) - 1, offset, row))
            offset, row = offset + len(body), row + (len(group) if is_rows else 0)
        return parts

    def deflate(self, body):
        rng = self.rng
        maker = zlib.compressobj(rng.choice([0, 1, 9]), zlib.DEFLATED, -rng.randrange(9, 16), rng.randrange(1, 10), rng.randrange(5))
        cut = rng.randrange(len(body) + 1)
        return maker.compress(body[:cut]) + maker.flush(rng.choice([zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH])) + maker.compress(body[cut:]) + maker.flush()

    def plain(self, part):
        part = self.hook("part", part)
        body = part.body
        if self.maybe():
            part.codec, body = 1, self.deflate(body)
        return struct.pack(">BBHIQQ", part.codec, int(part.last) if part.flags is None else part.flags, part.zero,
                           len(part.body) if part.length is None else part.length, part.offset, part.rows) + body

    def sealed(self, part):
        text, name = self.plain(part), part.name.encode()
        context = b"rasdx/1\0" + self.eid + struct.pack(">H", len(name)) + name
        if part.name in ("meta.json", "end.json"):
            context += sha(self.manifest_bytes)
        if self.suite == SUITES[0]:
            return chunked(self.key, self.rng.randbytes(24), text, context)
        return envelope(self.key, b"", self.rng.randbytes(12), text, context) if self.suite == SUITES[1] else text

    # -- the manifest

    def slot(self, kind):
        aad, rng = b"rasdx-slot/" + self.id.encode(), self.rng
        if kind == "passphrase":
            n, salt = self.choose("iterations", [100_000, 100_001]), rng.randbytes(16)
            key = hashlib.pbkdf2_hmac("sha256", unicodedata.normalize("NFC", PASSPHRASE).encode(), salt, n, 32)
            slot = {"type": "pbkdf2-sha256", "iterations": n, "salt": b64(salt), "wrapped": b64(envelope(key, b"", rng.randbytes(12), self.key, aad))}
        elif kind in ("key", "other key"):
            kid = self.choose("kid", ["k", "مفتاح", "k" * 64, " ", "\0"])
            key = RAW if kind == "key" else rng.randbytes(32)
            slot = {"type": "key", "kid": kid, "wrapped": b64(envelope(key, kid.encode(), rng.randbytes(12), self.key, aad))}
        elif kind in ("x25519", "p256"):
            identity = X25519 if kind == "x25519" else P256
            kem, enc, wrapped = hpke(identity, self.key, b"rasdx/1 slot\0" + self.eid)
            slot = {"type": "hpke", "kem": kem, "kdf": 1, "aead": 2, "kid": b64(sha(raw_public(identity))[:8]), "enc": b64(enc), "wrapped": b64(wrapped)}
        else:
            slot = rng.choice([{"type": "argon2id", "wrapped": 9}, {"type": ""}, {"type": "hpke", "kem": 33, "kdf": 1, "aead": 2, "enc": "?"},
                               {"type": "hpke", "kem": 32, "kdf": 3, "aead": 1, "wrapped": None}])
        return self.json.shuffled(self.extra(slot))

    def manifest(self):
        at = self.choose("exportedAt", ["2026-09-03T14:05:11.000Z", "2026-09-03T17:05:11+03:00", "2026-09-03t14:05:11z"])
        m = {"rasd": self.choose("rasd", ["1.0", "1.1"]), "exportId": self.id, "storageVersion": 1, "namespace": self.namespace,
             "exportedAt": at, "tables": list(self.tables), "suite": self.suite}
        if self.suite != "none":
            kinds = [self.choose("slot", ["key", "passphrase", "x25519", "p256"])]
            while self.maybe(0.6) and len(kinds) < 32:
                kinds.append(self.rng.choice(["key", "x25519", "p256", "other", "other key"]))
            self.rng.shuffle(kinds)
            commit = expand(self.key, b"rasdx/1 key-commit\0" + self.eid, 32, "sha512")
            m |= {"encryptedTo": self.rng.choice(TEXTS[:-1]), "keyCommit": b64(commit), "slots": [self.slot(k) for k in kinds]}
        if self.maybe(0.3):
            m["crit"] = self.rng.choice([[], ["rasdx"], ["slots", "crit", "exportedAt"]])
        m = self.hook("manifest", self.json.shuffled(self.extra(m)))
        text = self.json.value(m).encode()
        return self.hook("manifest bytes", b'{"rasdx":1,' + text[1:] + (self.rng.choice([b"", b"\n", b" \r\n\t"]) if self.odd else b""))

    # -- all of it

    def build(self):
        rng = self.rng
        ids = rng.sample(IDS, rng.randrange(6)) if self.odd else ["photo"]
        size = lambda: rng.choice([0, 1, 100, 16383, 16384, 16385, 50_000]) if self.odd else 100
        self.blobs = {i: rng.randbytes(size()) for i in ids}
        self.tables = {t: [] for t in self.table_names()}
        self.lines = {t: [self.json.line(r) + b"\n" for r in self.rows(t)] for t in self.tables}
        self.lines = self.hook("lines", self.lines)
        self.manifest_bytes = self.manifest()
        meta = {} if self.maybe(0.2) else {"app": "lit", "platform": "test", "device": "d", "exportSeq": 1, "origin": "device"}
        entries = [("manifest.json", self.manifest_bytes), Part("meta.json", self.json.line(self.extra(meta)) + rng.choice([b"", b"\n"]))]
        counts, digest = [], hashlib.sha256()
        for table, lines in self.lines.items():
            parts = self.stream(f"{table}.jsonl", lines, True)
            counts.append({"name": table, "rows": len(lines), "parts": len(parts), "bytes": sum(len(x) for x in lines)})
            digest.update(b"".join(lines))
            entries += parts
        inventory = []
        for id, data in self.blobs.items():
            step = rng.choice([1 << 20, 1, 1000]) if len(data) < 200 else rng.choice([1 << 20, 5000, 16384])
            step = step if self.odd else 40
            name = "attachments/" + "".join(chr(b) if chr(b).isalnum() and b < 128 or b in b"_-" else f"%{b:02X}" for b in id.encode())
            parts = self.stream(name, [data[i:i + step] for i in range(0, len(data), step)], False)
            entries += parts
            record = {"id": id, "bytes": len(data), "parts": len(parts), "sha256": sha(data).hex(), "mime": "image/jpeg"}
            if self.maybe(0.3):
                del record["mime"]
            inventory.append(self.extra(record))
        if self.odd:
            rng.shuffle(inventory)
        inventory = [self.json.line(r) + b"\n" for r in self.hook("inventory", inventory)]
        entries += self.stream("blobs.jsonl", inventory, True)
        digest.update(b"".join(inventory))
        end = {"rasdxEnd": 1, "exportId": self.id, "tables": counts, "rows": sum(c["rows"] for c in counts),
               "blobs": {"count": len(self.blobs), "bytes": sum(map(len, self.blobs.values())),
                         "parts": sum(e.name.startswith("attachments/") for e in entries[1:])},
               "entries": len(entries), "jsonlSha256": digest.hexdigest()}
        entries.append(Part("end.json", self.json.line(self.extra(self.hook("end", end)))))
        entries.append(("manifest.copy.json", self.manifest_bytes))
        entries = self.hook("entries", entries)
        made = [e if isinstance(e, tuple) else (e.name, self.sealed(e)) for e in entries]
        return self.hook("file", Archive(self, self.hook("sealed", made)).bytes())

    def truth(self):
        return {"lines": [x[:-1].decode() for x in self.lines.get("submissions", [])], "rows": sum(map(len, self.lines.values())),
                "blobs": sorted(sha(b).hex() for b in self.blobs.values()), "suite": self.suite, "chosen": self.chosen}


# ---- ZIP


class Entry:
    """An entry's headers as they will be written; a test may change any field."""

    def __init__(self, export, name, data):
        rng, odd = export.rng, export.odd
        maybe = export.maybe
        self.name, self.data, self.method, self.flags = name.encode(), data, 0, 0
        self.local_name = self.name
        if maybe(0.3):
            self.method = 8
            maker = zlib.compressobj(rng.randrange(10), zlib.DEFLATED, -15)
            self.data = maker.compress(data) + maker.flush()
            self.flags |= rng.choice([0, 2, 4, 6])
        self.size, self.crc = len(data), zlib.crc32(data)
        self.flags |= (0x800 if maybe() else 0) | (8 if maybe() else 0)
        self.local_large, self.central_large = maybe(0.3), maybe(0.3)
        self.signed = maybe() or not odd
        self.zeros = maybe()
        self.made, self.needed = (rng.randrange(0x1400), rng.randrange(10, 64)) if odd else (0x031E, 20)
        self.time = rng.getrandbits(32) if odd else 0x00210000
        self.internal, self.external = (rng.choice([0, 1]), rng.choice([0, 0x20, 0o100644 << 16, 0o104755 << 16])) if odd else (0, 0)
        self.comment = rng.choice([b"", b"hello", b"PK\5\6"]) if odd else b""
        self.local_extra, self.central_extra = self.extras(export), self.extras(export)
        self.local, self.tail = {}, b""

    @staticmethod
    def extras(export):
        rng, out = export.rng, b""
        while export.maybe(0.3):
            id, body = rng.choice([(0x5455, b"\1" + rng.randbytes(4)), (0x7875, b"\1\4\0\0\0\0\4\0\0\0\0"), (0x000A, bytes(32)),
                                   (0xD935, b"\4\0" + bytes(rng.randrange(9))), (0xCAFE, b""), (0x9901, rng.randbytes(7))])
            out += struct.pack("<HH", id, len(body)) + body
        return out + (bytes(rng.randrange(4)) if export.maybe(0.1) else b"")


class Archive:
    def __init__(self, export, made):
        self.export = export
        self.entries = [Entry(export, name, data) for name, data in made]
        if export.maybe():
            folder = Entry(export, "attachments/", b"")
            folder.external |= 0x10
            self.entries.insert(export.rng.randrange(len(self.entries) + 1), folder)
        export.hook("archive", self)

    def bytes(self):
        rng, maybe, out, records = self.export.rng, self.export.maybe, b"", []
        for e in self.entries:
            at = len(out)
            crc, stored, size = e.crc, len(e.data), e.size
            if e.flags & 8 and e.zeros:
                crc = stored = size = 0
            extra = e.local_extra
            if e.local_large:
                extra = struct.pack("<HHQQ", 1, 16, size, stored) + extra
                stored = size = 0xFFFFFFFF
            fields = {"flags": e.flags, "method": e.method, "crc": crc, "stored": stored, "size": size} | e.local
            out += struct.pack("<IHHHIIIIHH", 0x04034B50, e.needed, fields["flags"], fields["method"], e.time, fields["crc"], fields["stored"],
                               fields["size"], len(e.local_name), len(extra)) + e.local_name + extra + e.data
            if e.flags & 8:
                out += (b"PK\7\x08" if e.signed else b"") + struct.pack("<IQQ" if e.local_large else "<III", e.crc, len(e.data), e.size)
            out += e.tail
            large, stored, size, offset = b"", len(e.data), e.size, at
            if e.central_large:
                # Any of the three may stand aside; those that do follow in this order.
                if maybe(): large, size = large + struct.pack("<Q", size), 0xFFFFFFFF
                if maybe(): large, stored = large + struct.pack("<Q", stored), 0xFFFFFFFF
                if maybe(): large, offset = large + struct.pack("<Q", offset), 0xFFFFFFFF
            extra = (struct.pack("<HH", 1, len(large)) + large if large else b"") + e.central_extra
            records.append(struct.pack("<IHHHHIIIIHHHHHII", 0x02014B50, e.made, e.needed, e.flags, e.method, e.time, e.crc, stored, size, len(e.name),
                                       len(extra), len(e.comment), 0, e.internal, e.external, offset) + e.name + extra + e.comment)
        if maybe(0.3):
            rng.shuffle(records)
        start, directory = len(out), b"".join(records)
        out += directory
        count, size, offset = len(records), len(directory), start
        if maybe(0.3):
            more = rng.randbytes(rng.choice([0, 9]))
            out += struct.pack("<IQHHIIQQQQ", 0x06064B50, 44 + len(more), 0x031E, 45, 0, 0, count, count, size, offset) + more
            out += struct.pack("<IIQI", 0x07064B50, 0, start + size, 1)
            if maybe():
                count, size, offset = 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF
        return out + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, size, offset, 0)


def write_keys(folder):
    pem = (S.Encoding.PEM, S.PrivateFormat.PKCS8, S.NoEncryption())
    files = {"raw.key": RAW.hex().encode(), "passphrase": unicodedata.normalize("NFD", PASSPHRASE).encode() + b"\n",
             "x25519.pem": X25519.private_bytes(*pem), "p256.pem": P256.private_bytes(*pem)}
    for name, data in files.items():
        (folder / name).write_bytes(data)
        os.chmod(folder / name, 0o600)


if __name__ == "__main__":
    folder, count, first = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    (folder / "exports").mkdir(parents=True)
    write_keys(folder)
    truth = {}
    for seed in range(first, first + count):
        export = Export(seed)
        (folder / "exports" / f"{seed}.rasdx").write_bytes(export.build())
        truth[f"{seed}.rasdx"] = export.truth()
    (folder / "truth.json").write_text(json.dumps(truth))
