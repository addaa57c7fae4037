/** The command {@code ./lighthouse}. */
module io.lighthouse.cli {
  requires io.lighthouse.api;
  requires io.lighthouse.core;
  requires io.lighthouse.fleets;
  requires io.lighthouse.json;
  requires io.lighthouse.kubernetes;
  requires io.lighthouse.picture;
  requires io.lighthouse.scheduler;
  requires io.lighthouse.server;
  requires info.picocli;
  requires java.logging;
  requires org.snakeyaml.engine;
  requires tools.jackson.core;

  opens io.lighthouse.cli to
      info.picocli;
  opens io.lighthouse.cli.command to
      info.picocli;
  opens io.lighthouse.cli.option to
      info.picocli;
}
