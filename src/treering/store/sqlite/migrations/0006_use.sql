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
