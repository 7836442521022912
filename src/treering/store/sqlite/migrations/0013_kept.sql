-- Where a change that was received from another store, and changes nothing here, speaks of a thing: a purge finds it so.
CREATE TABLE kept (
  space_id   INTEGER NOT NULL,
  thing_id   TEXT NOT NULL,
  known_from INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  PRIMARY KEY (space_id, thing_id, known_from, position)
) STRICT, WITHOUT ROWID;
