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
