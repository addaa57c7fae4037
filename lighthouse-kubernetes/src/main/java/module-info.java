/**
 * A scheduler for Kubernetes: the pods that name it are placed by Lighthouse's engine, with its
 * strategies and anybody's plug-ins.
 *
 * <p>The package {@code io.lighthouse.kubernetes.cluster} is the decision in memory: the cluster as
 * a living fleet, fed with the API server's objects, and which waiting pod goes where and why not.
 * It knows no network, no thread and no clock. What talks to the API server is in {@code
 * io.lighthouse.kubernetes}.
 */
module io.lighthouse.kubernetes {
  requires transitive io.lighthouse.api;
  requires io.prometheus.metrics.config;
  requires io.prometheus.metrics.core;
  requires io.prometheus.metrics.instrumentation.jvm;
  requires io.prometheus.metrics.model;
  requires io.prometheus.writer.text;
  requires jdk.httpserver;
  requires jdk.net;
  requires org.apache.httpcomponents.core5.httpcore5;
  requires org.snakeyaml.engine;
  requires io.lighthouse.core;
  requires transitive io.lighthouse.json;
  requires tools.jackson.core;
  requires transitive tools.jackson.databind;

  exports io.lighthouse.kubernetes;
}
