package io.lighthouse.kubernetes.monitor;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** Counts what the scheduler does, for Prometheus. Thread-safe. */
public final class SchedulerMetrics {
  private static final double NANO = 1e-9;

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private boolean jvm;

  /** Bindings by their end: bound, refused, elsewhere, gone, unknown. */
  final Counter bindings =
      counter("lighthouse_kubernetes_bindings", "Bindings by how they ended.", "outcome");

  public final Counter refusals =
      counter("lighthouse_kubernetes_refusals", "Decisions that found no node for a pod.", "kind");

  /** Preemptions by their end: done, failed, withdrawn, needless. */
  public final Counter preemptions =
      counter("lighthouse_kubernetes_preemptions", "Preemptions by how they ended.", "outcome");

  public final Counter victims =
      counter("lighthouse_kubernetes_preemption_victims", "Pods evicted by preemptions.");

  public final Counter placements =
      counter("lighthouse_kubernetes_placements", "Decisions that found a node for a pod.");

  public final Counter lists =
      counter("lighthouse_kubernetes_lists", "Complete lists taken from the server.", "resource");

  public final Counter watchEnds =
      counter(
          "lighthouse_kubernetes_watch_ends",
          "Watches that ended, by cause: closed in order, cut, expired or silent.",
          "resource",
          "cause");

  public final Counter changes =
      counter("lighthouse_kubernetes_changes", "Changes that watches brought.", "resource");

  public final Counter unwritten =
      counter(
          "lighthouse_kubernetes_reports_dropped",
          "Reports not written: too many waited, or the server refused them or failed too often.",
          "kind");

  public final Counter failures =
      counter("lighthouse_kubernetes_call_failures", "Calls of the server that failed.", "call");

  public final Counter shadowed =
      counter(
          "lighthouse_kubernetes_shadow_decisions",
          "Decisions of the other scheduler, by how they compare with Lighthouse's.",
          "outcome");

  private final Counter questions =
      counter(
          "lighthouse_kubernetes_extender_questions",
          "Questions of the stock scheduler, by verb and status of the answer.",
          "verb",
          "status");

  private final Histogram answering =
      seconds("lighthouse_kubernetes_extender_seconds", "Time to answer the stock scheduler.");
  private final Histogram deciding =
      seconds("lighthouse_kubernetes_decide_seconds", "Time to decide about a pod or a gang.");
  private final Histogram binding =
      seconds("lighthouse_kubernetes_bind_seconds", "Time of a binding until its answer.");
  private final Histogram batch =
      Histogram.builder()
          .name("lighthouse_kubernetes_batch_pods")
          .help("Pods that were decided about together.")
          .classicOnly()
          .withoutExemplars()
          .classicUpperBounds(1, 4, 16, 64, 256, 1_024)
          .register(registry);

  public void decided(int pods, long nanos) {
    batch.observe(pods);
    deciding.observe(nanos * NANO);
  }

  public void bound(String outcome, long nanos) {
    bindings.labelValues(outcome).inc();
    binding.observe(nanos * NANO);
  }

  public void asked(String verb, int status, long nanos) {
    questions.labelValues(verb, Integer.toString(status)).inc();
    answering.observe(nanos * NANO);
  }

  public void gauge(String name, String help, DoubleSupplier value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(gauge -> gauge.call(value.getAsDouble()))
        .register(registry);
  }

  /**
   * A gauge with several values.
   *
   * @param values by the value of the label
   */
  public void gauge(String name, String help, String label, Map<String, DoubleSupplier> values) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(label)
        .callback(gauge -> values.forEach((of, value) -> gauge.call(value.getAsDouble(), of)))
        .register(registry);
  }

  /** All that is counted, in Prometheus' text format. */
  public byte[] toText() {
    withJvm();
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 14);
    try {
      PrometheusTextFormatWriter.create()
          .write(out, registry.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }

  /** Adds the metrics of the JVM at the first scrape: their set-up is expensive. */
  private synchronized void withJvm() {
    if (!jvm) {
      jvm = true;
      JvmMetrics.builder().register(registry);
    }
  }

  private Counter counter(String name, String help, String... labels) {
    return Counter.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .withoutExemplars()
        .register(registry);
  }

  private Histogram seconds(String name, String help) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .classicOnly()
        .withoutExemplars()
        .classicExponentialUpperBounds(0.0001, 2.5, 14)
        .register(registry);
  }
}
