-- How many tokens of a language model a space has spent, by day. Not projected: it is no knowledge.
CREATE TABLE spending (
  space   TEXT NOT NULL,
  day     TEXT NOT NULL,
  read    INTEGER NOT NULL,
  written INTEGER NOT NULL,
  PRIMARY KEY (space, day)
) STRICT, WITHOUT ROWID;
