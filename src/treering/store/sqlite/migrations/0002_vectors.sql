-- What embedders made of memories and entities, packed. Not projected from the journal: it can be made again at will.
-- place only ever grows, so that an index can follow.
CREATE TABLE vector (
  place    INTEGER PRIMARY KEY AUTOINCREMENT,
  space_id INTEGER NOT NULL REFERENCES space (id),
  embedder TEXT NOT NULL,
  thing_id TEXT NOT NULL,
  data     BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX vector_by_thing ON vector (space_id, thing_id, embedder);
CREATE INDEX vector_by_place ON vector (space_id, embedder, place);

-- The latest mentions of an entity are found without looking at all of them.
DROP INDEX edge_by_target;
CREATE INDEX edge_by_target ON edge (space_id, target_id, relation, recorded_at);
