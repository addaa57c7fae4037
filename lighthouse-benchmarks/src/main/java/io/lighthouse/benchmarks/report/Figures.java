package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.run.Measurement;
import java.util.Locale;

/** How figures are written: three significant digits, units that a person reads. */
final class Figures {
  private Figures() {}

  static String count(double value) {
    return String.format(Locale.ROOT, "%,d", Math.round(value));
  }

  /** Rounded to three significant digits. */
  static String rounded(double value) {
    if (value == 0) {
      return "0";
    }
    double magnitude = Math.pow(10, Math.floor(Math.log10(Math.abs(value))) - 2);
    double rounded = Math.round(value / magnitude) * magnitude;
    if (Math.abs(rounded) >= 100) {
      return count(rounded);
    }
    return String.format(Locale.ROOT, Math.abs(rounded) >= 10 ? "%.1f" : "%.2f", rounded);
  }

  static String nanos(double nanos) {
    if (nanos < 1e3) {
      return rounded(nanos) + " ns";
    }
    if (nanos < 1e6) {
      return rounded(nanos / 1e3) + " us";
    }
    return nanos < 1e9 ? rounded(nanos / 1e6) + " ms" : rounded(nanos / 1e9) + " s";
  }

  /** A median with its spread. */
  static String spread(Measurement measurement) {
    if (measurement.samples() < 2) {
      return nanos(measurement.median());
    }
    return "%s (%s to %s, %s)"
        .formatted(
            nanos(measurement.median()),
            nanos(measurement.min()),
            nanos(measurement.max()),
            count(measurement.samples()));
  }

  /** A ratio; empty where there is none, as it is to 0. */
  static String times(double ratio) {
    return Double.isFinite(ratio) ? rounded(ratio) + " x" : "";
  }
}
