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
