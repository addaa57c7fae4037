package io.lighthouse.benchmarks.run;

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
public record Case(String benchmark, Map<String, String> params) {
  public Case {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }

  /**
   * A case.
   *
   * @param names its benchmark and the names of its parameters, separated by spaces
   * @param values the values of these in order
   */
  public static Case of(String names, Object... values) {
    String[] all = names.split(" ");
    Map<String, String> params = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      params.put(all[i + 1], value instanceof Enum<?> one ? one.name() : value.toString());
    }
    return new Case(all[0], params);
  }

  public String param(String name) {
    return params.get(name);
  }

  /** The number of nodes, or 0 where the problem comes from a file. */
  public int nodes() {
    return params.containsKey("nodes") ? number("nodes") : 0;
  }

  public int number(String name) {
    return Integer.parseInt(params.get(name));
  }

  @Override
  public String toString() {
    return benchmark + " " + String.join(" ", params.values());
  }
}
