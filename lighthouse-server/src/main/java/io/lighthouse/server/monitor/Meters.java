package io.lighthouse.server.monitor;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.DoubleSupplier;

/** Makes the kinds of metrics that the service has, and registers them. */
record Meters(PrometheusRegistry registry) {
  /** Seconds in a nanosecond. */
  static final double NANO = 1e-9;

  Counter counter(String name, String help, String... labels) {
    return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
  }

  /** A histogram of times, from 0.1 ms up. */
  Histogram seconds(int bounds, String name, String help, String... labels) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .classicOnly()
        .classicExponentialUpperBounds(0.0001, 2.5, bounds)
        .register(registry);
  }

  Histogram sizes(String name, String help, double... bounds) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .classicOnly()
        .classicUpperBounds(bounds)
        .register(registry);
  }

  void gauge(String name, String help, DoubleSupplier value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(gauge -> gauge.call(value.getAsDouble()))
        .register(registry);
  }
}
