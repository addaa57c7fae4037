package io.lighthouse.core.oracle;

import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a batch.
 *
 * @param placed by workload, in the order given: its node, or null
 * @param done the placed workloads, in the order of their placements
 * @param why by workload that found nothing, then by node: what was broken at its turn
 * @param gangs by member of a gang that was undone
 * @param attempts by member of a gang that was placed: in which attempt, from 1
 */
public record Outcome(
    Map<String, String> placed,
    List<String> done,
    Map<String, Map<String, List<Reason>>> why,
    Map<String, GangRefusal> gangs,
    Map<String, Integer> attempts) {
  static Outcome none() {
    return new Outcome(
        new LinkedHashMap<>(),
        new ArrayList<>(),
        new HashMap<>(),
        new HashMap<>(),
        new HashMap<>());
  }
}
