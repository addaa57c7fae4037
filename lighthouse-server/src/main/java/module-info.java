/**
 * The HTTP service. Start at {@link io.lighthouse.server.PlacementService}; all else is internal.
 */
module io.lighthouse.server {
  requires transitive io.lighthouse.json;
  requires transitive io.lighthouse.core;
  requires io.lighthouse.fleets;
  requires io.lighthouse.picture;
  requires io.prometheus.metrics.config;
  requires io.prometheus.metrics.core;
  requires io.prometheus.metrics.instrumentation.jvm;
  requires io.prometheus.metrics.model;
  requires io.prometheus.writer.text;
  requires org.eclipse.jetty.compression.gzip;
  requires org.eclipse.jetty.compression.server;
  requires java.logging;
  requires java.management;
  requires jdk.management;
  requires org.eclipse.jetty.server;

  exports io.lighthouse.server;
}
