/** The command {@code ./lighthouse}. */
module io.lighthouse.cli {
  requires io.lighthouse.api;
  requires io.lighthouse.core;
  requires io.lighthouse.json;
  requires info.picocli;

  opens io.lighthouse.cli to
      info.picocli;
}
