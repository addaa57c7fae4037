/** The problem format, read and written. */
module io.lighthouse.json {
  requires transitive io.lighthouse.api;
  requires tools.jackson.core;

  exports io.lighthouse.json;
}
