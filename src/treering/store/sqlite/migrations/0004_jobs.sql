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
