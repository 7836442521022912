-- Whether the window of an edge was ever moved stands beside the edge, and in the index that a walk reads: most never were,
-- and of those nothing need be looked up.
ALTER TABLE edge ADD COLUMN moved INTEGER NOT NULL DEFAULT 0;
UPDATE edge SET moved = 1 WHERE EXISTS (
  SELECT 1 FROM edge_window x WHERE x.space_id = edge.space_id AND x.edge_id = edge.id AND x.rule IS NOT NULL);
DROP INDEX edge_window_moved;
DROP INDEX edge_by_source;
CREATE INDEX edge_by_source ON edge (space_id, source_id, relation, id, target_id, valid_from, valid_until, moved);
