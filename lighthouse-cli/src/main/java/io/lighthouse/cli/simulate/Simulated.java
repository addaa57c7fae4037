package io.lighthouse.cli.simulate;

import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.simulation.Trace;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A file of a trace.
 *
 * @param trace what happens
 * @param policy the settings of the manager
 * @param choice what chooses nodes, in words by heading: the strategy, its rubric and settings
 */
public record Simulated(Trace trace, SchedulingPolicy policy, Map<String, String> choice) {
  /** Copies. */
  public Simulated {
    choice = Collections.unmodifiableMap(new LinkedHashMap<>(choice));
  }

  /**
   * What chooses nodes, and the settings of the manager, in words by heading.
   *
   * @return in the order of the page
   */
  public Map<String, String> settings() {
    Map<String, String> all = new LinkedHashMap<>(choice);
    all.put("queue window", Integer.toString(policy.queueWindow()));
    all.put("order", policy.order().name().toLowerCase(Locale.ROOT));
    all.put("reserve", policy.reserve() ? "yes" : "no");
    all.put("pass every", HtmlReport.seconds(trace.passEvery()) + " s");
    all.put("grace of nodes", HtmlReport.seconds(policy.nodeGrace()) + " s");
    return all;
  }
}
