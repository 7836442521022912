-- What embedders made is called so: PostgreSQL's pgvector has a type of the name that it had.

ALTER TABLE vector RENAME TO embedding;
DROP INDEX vector_by_thing;
DROP INDEX vector_by_place;
CREATE UNIQUE INDEX embedding_by_thing ON embedding (space_id, thing_id, embedder);
CREATE INDEX embedding_by_place ON embedding (space_id, embedder, place);
