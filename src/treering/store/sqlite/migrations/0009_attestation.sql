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
