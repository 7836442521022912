-- The schema as it is today, all migrations applied (a test holds the two together).
-- Times are microseconds since 1970 UTC. An open end is 9223372036854775807, so that every window test is two comparisons.
-- known_from/known_until is the stretch of known time in which a row was believed.

-- name_seal ties the name to the first entry of the chain that it stands before.
CREATE TABLE space (
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  name_seal  TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  head_seq   INTEGER NOT NULL,
  head_at    INTEGER NOT NULL,
  head_hash  TEXT NOT NULL
) STRICT;

CREATE TABLE journal (
  space_id     INTEGER NOT NULL REFERENCES space (id),
  seq          INTEGER NOT NULL,
  at           INTEGER NOT NULL,
  actor        TEXT NOT NULL,
  op           TEXT NOT NULL,
  payload      TEXT NOT NULL,
  payload_hash TEXT NOT NULL,
  prev_hash    TEXT NOT NULL,
  hash         TEXT NOT NULL,
  signature    TEXT,
  PRIMARY KEY (space_id, seq),
  UNIQUE (space_id, at)
) STRICT;

CREATE TABLE source (
  space_id     INTEGER NOT NULL REFERENCES space (id),
  id           TEXT NOT NULL,
  kind         TEXT NOT NULL,
  content      TEXT NOT NULL,
  speaker      TEXT,
  session      TEXT,
  key          TEXT,
  occurred_at  INTEGER NOT NULL,
  recorded_at  INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  meta         TEXT NOT NULL,
  visible_to   TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (space_id, id)
) STRICT;
CREATE UNIQUE INDEX source_by_key ON source (space_id, key) WHERE key IS NOT NULL;
CREATE INDEX source_by_session ON source (space_id, session, recorded_at) WHERE session IS NOT NULL;
CREATE INDEX source_by_content ON source (space_id, content_hash) WHERE kind IN ('document', 'file');

CREATE TABLE memory (
  space_id    INTEGER NOT NULL,
  id          TEXT NOT NULL,
  content     TEXT NOT NULL,
  kind        TEXT NOT NULL,
  title       TEXT,
  context     TEXT,
  tags        TEXT NOT NULL,
  meta        TEXT NOT NULL,
  importance  REAL NOT NULL,
  confidence  REAL NOT NULL,
  strength    REAL NOT NULL,
  tier        TEXT NOT NULL,
  event_time  INTEGER,
  event_end   INTEGER,
  said_at     INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  valid_from  INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  source_id   TEXT NOT NULL,
  span_start  INTEGER NOT NULL,
  span_end    INTEGER NOT NULL,
  observed_by TEXT,
  visibility  TEXT NOT NULL,
  visible_to  TEXT NOT NULL,
  PRIMARY KEY (space_id, id),
  -- deferred: on replay a blanked source is restated by the purge that blanked it, after the memories that rest on it
  FOREIGN KEY (space_id, source_id) REFERENCES source (space_id, id) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX memory_by_known_time ON memory (space_id, recorded_at, id);
CREATE INDEX memory_by_source ON memory (space_id, source_id);
CREATE INDEX memory_by_title ON memory (space_id, title) WHERE title IS NOT NULL;

CREATE TABLE memory_tag (
  space_id  INTEGER NOT NULL,
  tag       TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  PRIMARY KEY (space_id, tag, memory_id),
  FOREIGN KEY (space_id, memory_id) REFERENCES memory (space_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_tag_by_memory ON memory_tag (space_id, memory_id);

-- Who may see a private memory.
CREATE TABLE principal (
  space_id  INTEGER NOT NULL,
  memory_id TEXT NOT NULL,
  principal TEXT NOT NULL,
  PRIMARY KEY (space_id, memory_id, principal),
  FOREIGN KEY (space_id, memory_id) REFERENCES memory (space_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE entity (
  space_id    INTEGER NOT NULL REFERENCES space (id),
  id          TEXT NOT NULL,
  name        TEXT NOT NULL,
  folded      TEXT NOT NULL,
  kind        TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  memory_id   TEXT,
  PRIMARY KEY (space_id, id),
  UNIQUE (space_id, folded)
) STRICT;
CREATE INDEX entity_by_evidence ON entity (space_id, memory_id) WHERE memory_id IS NOT NULL;

-- Every name an entity was given, the canonical one first. memory_id: through which memory it is known, if not to all; kind:
-- what it was said to be then. Who may not see how an entity was first named sees the first naming open to them.
CREATE TABLE alias (
  space_id    INTEGER NOT NULL,
  entity_id   TEXT NOT NULL,
  folded      TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  position    INTEGER NOT NULL,
  alias       TEXT NOT NULL,
  kind        TEXT,
  memory_id   TEXT,
  PRIMARY KEY (space_id, entity_id, recorded_at, position),
  FOREIGN KEY (space_id, entity_id) REFERENCES entity (space_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX alias_by_name ON alias (space_id, folded);
CREATE INDEX alias_by_evidence ON alias (space_id, memory_id) WHERE memory_id IS NOT NULL;

CREATE TABLE edge (
  space_id    INTEGER NOT NULL REFERENCES space (id),
  id          TEXT NOT NULL,
  family      TEXT NOT NULL,
  source_id   TEXT NOT NULL,
  target_id   TEXT NOT NULL,
  relation    TEXT NOT NULL,
  confidence  REAL NOT NULL,
  strength    REAL NOT NULL,
  valid_from  INTEGER NOT NULL,
  valid_until INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  memory_id   TEXT,
  observed_by TEXT,
  rule        TEXT,
  why         TEXT,
  signature   TEXT,
  meta        TEXT NOT NULL,
  moved       INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (space_id, id)
) STRICT;
-- All that a walk asks of an edge which it crosses along its direction.
CREATE INDEX edge_by_source ON edge (space_id, source_id, relation, id, target_id, valid_from, valid_until, moved);
CREATE INDEX edge_by_target ON edge (space_id, target_id, relation, recorded_at);
CREATE INDEX edge_by_evidence ON edge (space_id, memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX edge_by_family ON edge (space_id, family, valid_from);

-- Where an edge's window was believed to end from known_from on, and why; edge.valid_until is the end as first written.
-- The latest row counts whose evidence the reader may see.
CREATE TABLE edge_window (
  space_id    INTEGER NOT NULL,
  edge_id     TEXT NOT NULL,
  known_from  INTEGER NOT NULL,
  valid_until INTEGER NOT NULL,
  rule        TEXT,
  why         TEXT,
  evidence    TEXT,
  PRIMARY KEY (space_id, edge_id, known_from),
  FOREIGN KEY (space_id, edge_id) REFERENCES edge (space_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX edge_window_by_evidence ON edge_window (space_id, evidence) WHERE evidence IS NOT NULL;

CREATE TABLE mark (
  space_id    INTEGER NOT NULL REFERENCES space (id),
  target_id   TEXT NOT NULL,
  mark        TEXT NOT NULL,
  known_from  INTEGER NOT NULL,
  known_until INTEGER NOT NULL,
  PRIMARY KEY (space_id, target_id, mark, known_from)
) STRICT, WITHOUT ROWID;

CREATE INDEX mark_by_name ON mark (space_id, mark, known_until);

-- Other sources in which a memory was said once more.
CREATE TABLE evidence (
  space_id    INTEGER NOT NULL REFERENCES space (id),
  memory_id   TEXT NOT NULL,
  source_id   TEXT NOT NULL,
  known_from  INTEGER NOT NULL,
  span_start  INTEGER NOT NULL,
  span_end    INTEGER NOT NULL,
  known_until INTEGER NOT NULL,
  PRIMARY KEY (space_id, memory_id, source_id, known_from)
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_by_source ON evidence (space_id, source_id);

-- What use was made of a memory, one row a change; position is its place in the entry.
CREATE TABLE used (
  space_id     INTEGER NOT NULL REFERENCES space (id),
  memory_id    TEXT NOT NULL,
  known_from   INTEGER NOT NULL,
  position     INTEGER NOT NULL,
  used_at      INTEGER NOT NULL,
  how          TEXT NOT NULL,
  times        INTEGER NOT NULL,
  boost        REAL NOT NULL,
  cross_domain INTEGER NOT NULL,
  PRIMARY KEY (space_id, memory_id, known_from, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE merge (
  space_id    INTEGER NOT NULL REFERENCES space (id),
  entity_id   TEXT NOT NULL,
  into_id     TEXT NOT NULL,
  known_from  INTEGER NOT NULL,
  known_until INTEGER NOT NULL,
  PRIMARY KEY (space_id, entity_id, known_from)
) STRICT, WITHOUT ROWID;
CREATE INDEX merge_by_target ON merge (space_id, into_id);

CREATE TABLE tombstone (
  space_id  INTEGER NOT NULL REFERENCES space (id),
  id        TEXT NOT NULL,
  thing     TEXT NOT NULL,
  purged_at INTEGER NOT NULL,
  private   INTEGER NOT NULL,
  why       TEXT,
  PRIMARY KEY (space_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
  space_id    INTEGER NOT NULL REFERENCES space (id),
  name        TEXT NOT NULL,
  value       TEXT NOT NULL,
  known_from  INTEGER NOT NULL,
  known_until INTEGER NOT NULL,
  PRIMARY KEY (space_id, name, known_from)
) STRICT, WITHOUT ROWID;

CREATE TABLE actor_key (
  space_id    INTEGER NOT NULL REFERENCES space (id),
  actor       TEXT NOT NULL,
  public_key  TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  PRIMARY KEY (space_id, actor)
) STRICT, WITHOUT ROWID;

-- Who has vouched for an edge that was there already, with a signature over its hash as first written.
CREATE TABLE attestation (
  space_id    INTEGER NOT NULL,
  edge_id     TEXT NOT NULL,
  actor       TEXT NOT NULL,
  edge_hash   TEXT NOT NULL,
  signature   TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  PRIMARY KEY (space_id, edge_id, actor),
  FOREIGN KEY (space_id, edge_id) REFERENCES edge (space_id, id)
) STRICT, WITHOUT ROWID;

-- Where a change that was received from another store, and changes nothing here, speaks of a thing: a purge finds it so.
CREATE TABLE kept (
  space_id   INTEGER NOT NULL,
  thing_id   TEXT NOT NULL,
  known_from INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  PRIMARY KEY (space_id, thing_id, known_from, position)
) STRICT, WITHOUT ROWID;

-- What the engine still owes: 'scrub' from a purge's commit until its bytes are gone from the files, also across a crash.
CREATE TABLE chore (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- What embedders made of memories and entities, packed. Not projected from the journal: it can be made again at will.
-- place only ever grows, so that an index can follow.
CREATE TABLE embedding (
  place    INTEGER PRIMARY KEY AUTOINCREMENT,
  space_id INTEGER NOT NULL REFERENCES space (id),
  embedder TEXT NOT NULL,
  thing_id TEXT NOT NULL,
  data     BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX embedding_by_thing ON embedding (space_id, thing_id, embedder);
CREATE INDEX embedding_by_place ON embedding (space_id, embedder, place);

-- Work that was promised and is to be done later. It is no knowledge, so it is not in the journal.
-- place is the order in which jobs were asked for. request holds the words to be remembered, only until they are stored;
-- of a key, and of a request that is gone, no more is kept than what tells whether it is the same again.
CREATE TABLE job (
  place        INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  space        TEXT NOT NULL,
  actor        TEXT NOT NULL,
  kind         TEXT NOT NULL,
  session      TEXT,
  status       TEXT NOT NULL,
  stage        TEXT,
  done         INTEGER NOT NULL,
  total        INTEGER NOT NULL,
  attempts     INTEGER NOT NULL,
  not_before   INTEGER NOT NULL,
  worker       TEXT,
  lease_until  INTEGER,
  stop_asked   INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  errors       TEXT NOT NULL,
  result       TEXT,
  signer       TEXT,
  key_hash     TEXT,
  request_hash TEXT,
  request      TEXT
) STRICT;
CREATE INDEX job_open ON job (place) WHERE status IN ('pending', 'processing');
CREATE INDEX job_by_session ON job (space, session, place, status) WHERE status IN ('pending', 'processing');
CREATE INDEX job_by_actor ON job (space, actor, place);
CREATE UNIQUE INDEX job_by_key ON job (space, actor, key_hash) WHERE key_hash IS NOT NULL;
CREATE INDEX job_with_words ON job (space) WHERE request IS NOT NULL;
CREATE INDEX job_done_with ON job (space, place) WHERE request IS NULL;

-- How many tokens of a language model a space has spent, by day. Not projected: it is no knowledge.
CREATE TABLE spending (
  space   TEXT NOT NULL,
  day     TEXT NOT NULL,
  read    INTEGER NOT NULL,
  written INTEGER NOT NULL,
  PRIMARY KEY (space, day)
) STRICT, WITHOUT ROWID;

-- The latest upkeep of each space: who is at it, until when, and how far it is. Not projected: it is no knowledge.
CREATE TABLE upkeep (
  space TEXT PRIMARY KEY,
  run   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Clusters as they were found, by the ids of their members. Not projected: they can be found again.
CREATE TABLE found_cluster (
  place      INTEGER PRIMARY KEY AUTOINCREMENT,
  space      TEXT NOT NULL,
  id         TEXT NOT NULL,
  memory_ids TEXT NOT NULL,
  cohesion   REAL NOT NULL,
  found_at   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX found_cluster_by_id ON found_cluster (space, id);

-- What waits for somebody to decide, and what was decided. Not projected. It names what it is about by id, in concerns,
-- and holds none of its words. rank is the urgency as a number, the most urgent first.
CREATE TABLE review (
  place      INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL,
  space      TEXT NOT NULL,
  kind       TEXT NOT NULL,
  status     TEXT NOT NULL,
  rank       INTEGER NOT NULL,
  key        TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  concerns   TEXT NOT NULL,
  item       TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX review_by_id ON review (space, id);
CREATE UNIQUE INDEX review_by_key ON review (space, key) WHERE status IN ('open', 'claimed', 'dismissed');
CREATE INDEX review_open ON review (space, rank, place) WHERE status IN ('open', 'claimed');
CREATE INDEX review_ended ON review (space, updated_at, place) WHERE status NOT IN ('open', 'claimed');

-- Small papers that are no knowledge: keys, webhooks, what could not be delivered. Not projected, in no journal.
CREATE TABLE drawer (
  kind    TEXT NOT NULL,
  id      TEXT NOT NULL,
  value   TEXT NOT NULL,
  version INTEGER NOT NULL,
  due     INTEGER,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX drawer_due ON drawer (kind, due, id) WHERE due IS NOT NULL;

-- Who read what, came in, was refused or took something out: only ever added to, each record sealed with the hash of the
-- one before. Not projected, in no journal.
CREATE TABLE audit (
  seq       INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  operation TEXT,
  space     TEXT,
  caller    TEXT,
  key       TEXT,
  request   TEXT,
  outcome   TEXT NOT NULL,
  detail    TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash      TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_space ON audit (space, seq);
CREATE INDEX audit_by_caller ON audit (caller, seq);
