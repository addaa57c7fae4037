CREATE TABLE lighthouse_schema (version BIGINT NOT NULL);
INSERT INTO lighthouse_schema VALUES (1);
CREATE TABLE fleet (
  id BIGINT PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  generation BIGINT NOT NULL,
  hash BYTEA NOT NULL,
  gone BOOLEAN NOT NULL,
  digest BYTEA NOT NULL);
CREATE UNIQUE INDEX fleet_name ON fleet (name) WHERE NOT gone;
CREATE INDEX fleet_names ON fleet (name, id);
CREATE TABLE entry (
  fleet BIGINT NOT NULL,
  generation BIGINT NOT NULL,
  at BIGINT NOT NULL,
  token TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C",
  request BYTEA,
  status BIGINT NOT NULL,
  answer BYTEA,
  body BYTEA NOT NULL,
  hash BYTEA NOT NULL,
  PRIMARY KEY (fleet, generation));
CREATE UNIQUE INDEX entry_key ON entry (fleet, token, key) WHERE key IS NOT NULL;
CREATE TABLE snapshot (
  fleet BIGINT NOT NULL,
  generation BIGINT NOT NULL,
  entry_hash BYTEA NOT NULL,
  body BYTEA NOT NULL,
  digest BYTEA NOT NULL,
  PRIMARY KEY (fleet, generation));
