-- A walk finds the edges that lead away from a node, and whether they hold, in one index; and which windows were ever moved
-- in another, which is small.
DROP INDEX edge_by_source;
CREATE INDEX edge_by_source ON edge (space_id, source_id, relation, id, target_id, valid_from, valid_until);
CREATE INDEX edge_window_moved ON edge_window (space_id, edge_id, rule) WHERE rule IS NOT NULL;
