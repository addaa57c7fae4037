CREATE TABLE fleet (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  generation INTEGER NOT NULL,
  hash BLOB NOT NULL,
  gone INTEGER NOT NULL,
  digest BLOB NOT NULL);
CREATE UNIQUE INDEX fleet_name ON fleet (name) WHERE gone = 0;
CREATE INDEX fleet_names ON fleet (name, id);
CREATE TABLE entry (
  fleet INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  at INTEGER NOT NULL,
  token TEXT NOT NULL,
  key TEXT,
  request BLOB,
  status INTEGER NOT NULL,
  answer BLOB,
  body BLOB NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (fleet, generation)) WITHOUT ROWID;
CREATE UNIQUE INDEX entry_key ON entry (fleet, token, key) WHERE key IS NOT NULL;
CREATE TABLE snapshot (
  fleet INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  entry_hash BLOB NOT NULL,
  body BLOB NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (fleet, generation));
