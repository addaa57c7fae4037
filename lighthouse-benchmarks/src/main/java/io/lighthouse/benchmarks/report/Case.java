package io.lighthouse.benchmarks.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One thing to measure: a benchmark with its parameters. Equal cases are measured once, even if
 * several parts need them.
 *
 * @param benchmark the simple name of the benchmark class and its method, such as {@code
 *     BatchBenchmark.assign}
 * @param params its parameters, in the order given
 */
record Case(String benchmark, Map<String, String> params) {
  Case {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }

  static Case of(String benchmark, Object... namesAndValues) {
    Map<String, String> params = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      params.put((String) namesAndValues[i], enumName(namesAndValues[i + 1]));
    }
    return new Case(benchmark, params);
  }

  private static String enumName(Object value) {
    return value instanceof Enum<?> constant ? constant.name() : value.toString();
  }

  String param(String name) {
    return params.get(name);
  }

  /** The number of nodes, or 0 where the problem comes from a file. */
  int nodes() {
    return params.containsKey("nodes") ? number("nodes") : 0;
  }

  int number(String name) {
    return Integer.parseInt(params.get(name));
  }

  @Override
  public String toString() {
    return benchmark + " " + String.join(" ", params.values());
  }
}
