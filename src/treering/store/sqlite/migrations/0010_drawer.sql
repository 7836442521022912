-- Small papers that are no knowledge: keys, webhooks, what could not be delivered. Not projected, in no journal.
CREATE TABLE drawer (
  kind    TEXT NOT NULL,
  id      TEXT NOT NULL,
  value   TEXT NOT NULL,
  version INTEGER NOT NULL,
  due     INTEGER,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX drawer_due ON drawer (kind, due, id) WHERE due IS NOT NULL;
