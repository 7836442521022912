-- Sources may be private before any memory rests on them, wait to be read, and say once more what is known.
ALTER TABLE source ADD COLUMN visible_to TEXT NOT NULL DEFAULT '[]';
DROP INDEX source_by_session;
CREATE INDEX source_by_session ON source (space_id, session, recorded_at) WHERE session IS NOT NULL;
CREATE INDEX source_by_content ON source (space_id, content_hash) WHERE kind IN ('document', 'file');
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
