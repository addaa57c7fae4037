/**
 * A Kubernetes scheduler: Lighthouse's engine places the pods that name it, with our strategies or
 * a plug-in's.
 *
 * <p>Each exported package has one entry:
 *
 * <ul>
 *   <li>{@link io.lighthouse.kubernetes.config.SettingsFile} reads the configuration.
 *   <li>{@link io.lighthouse.kubernetes.schedule.KubernetesScheduler} schedules.
 *   <li>{@link io.lighthouse.kubernetes.extender.KubernetesExtender} serves the stock scheduler.
 *   <li>{@link io.lighthouse.kubernetes.shadow.KubernetesShadow} compares with another scheduler.
 *   <li>{@link io.lighthouse.kubernetes.plan.KubernetesPlan} plans and carries out a drain.
 *   <li>{@link io.lighthouse.kubernetes.export.ClusterReader} reads a cluster as a problem.
 * </ul>
 *
 * <p>The packages below {@code io.lighthouse.kubernetes.cluster} decide in memory, without a
 * network, a thread or a clock.
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
  requires io.lighthouse.picture;
  requires transitive io.lighthouse.json;
  requires tools.jackson.core;
  requires transitive tools.jackson.databind;

  exports io.lighthouse.kubernetes.config;
  exports io.lighthouse.kubernetes.export;
  exports io.lighthouse.kubernetes.extender;
  exports io.lighthouse.kubernetes.plan;
  exports io.lighthouse.kubernetes.schedule;
  exports io.lighthouse.kubernetes.shadow;
}
