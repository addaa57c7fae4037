package io.lighthouse.tests.plans;

import io.lighthouse.api.Change;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The number of waves that the changes of a plan need at least, by the amounts of some resources.
 * What has arrived on a node by a wave takes no more than the node has left before the plan, and
 * what has left it by the wave before. What has left a node has arrived elsewhere, so that is
 * limited in the same way.
 *
 * <p>The same holds backwards: in reverse order, with the ends of each move exchanged, the changes
 * lead from the fleet after the plan to the one before. So there is an earliest wave for each
 * change, and a number of waves that must follow it.
 */
final class WaveBound {
  /** A change; -1 where the workload has no node before, or none after. */
  private record Step(int from, int to, long[] needs) {}

  private final List<Step> steps;

  /** The step before each one that moves the same workload; -1 for none. */
  private final int[] previous;

  /** By step, the earliest wave, from 1 on. */
  private final int[] earliest;

  /** By wave from 1 on, by node and resource: no more can have arrived by its end. */
  private final List<long[][]> room = new ArrayList<>();

  private WaveBound(List<Step> steps, int[] previous, long[][] left) {
    this.steps = steps;
    this.previous = previous;
    earliest = new int[steps.size()];
    room.add(new long[0][]);
    room.add(left);
    while (room.size() <= steps.size() + 1) {
      addWave(left);
    }
  }

  /**
   * The bound.
   *
   * @param fleet before the plan; no workload is immune to one of the resources, or gives it
   * @param resources which every node has
   */
  static int of(Snapshot fleet, Plan plan, List<String> resources) {
    Map<String, Integer> nodes = new HashMap<>();
    Map<String, long[]> needs = new HashMap<>();
    List<long[]> left = new ArrayList<>();
    for (NodeState node : fleet.nodes()) {
      nodes.put(node.name(), nodes.size());
      left.add(resources.stream().mapToLong(name -> amount(node.left(), name)).toArray());
      node.workloads().forEach(one -> needs.put(one.name(), needs(one, resources)));
    }
    long[][] before = left.stream().map(long[]::clone).toArray(long[][]::new);
    List<Step> steps = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Change change : plan.changes()) {
      if (change instanceof Change.Assign assign) {
        needs.put(assign.workload().name(), needs(assign.workload(), resources));
        names.add(assign.workload().name());
        steps.add(new Step(-1, nodes.get(assign.node()), needs.get(assign.workload().name())));
      } else {
        Change.Move move = (Change.Move) change;
        names.add(move.workload());
        steps.add(
            new Step(nodes.get(move.from()), nodes.get(move.to()), needs.get(move.workload())));
      }
    }
    for (Step step : steps) {
      for (int d = 0; d < resources.size(); d++) {
        left.get(step.to)[d] -= step.needs[d];
        if (step.from >= 0) {
          left.get(step.from)[d] += step.needs[d];
        }
      }
    }
    int[] previous = new int[steps.size()];
    int[] next = new int[steps.size()];
    Arrays.fill(next, -1);
    Map<String, Integer> last = new LinkedHashMap<>();
    for (int i = 0; i < previous.length; i++) {
      previous[i] = last.getOrDefault(names.get(i), -1);
      if (previous[i] >= 0) {
        next[previous[i]] = i;
      }
      last.put(names.get(i), i);
    }
    List<Step> backwards =
        steps.stream().map(step -> new Step(step.to, step.from, step.needs)).toList();
    WaveBound forth = new WaveBound(steps, previous, before);
    WaveBound back = new WaveBound(backwards, next, left.toArray(long[][]::new));
    int waves = 0;
    while (!forth.allows(waves, back.earliest) || !back.allows(waves, forth.earliest)) {
      waves++;
    }
    return waves;
  }

  private static long[] needs(Workload workload, List<String> resources) {
    return resources.stream().mapToLong(name -> amount(workload.requirements(), name)).toArray();
  }

  private static long amount(Resources of, String name) {
    return of.get(name).map(quantity -> quantity.toBigDecimal().longValueExact()).orElse(0L);
  }

  /** Finds the steps of the last wave, and the room of the next one. */
  private void addWave(long[][] left) {
    int wave = room.size() - 1;
    long[][] now = room.get(wave);
    for (int i = 0; i < earliest.length; i++) {
      Step step = steps.get(i);
      int before = previous[i] < 0 ? 0 : earliest[previous[i]];
      boolean follows = previous[i] < 0 || before > 0 && before < wave;
      if (earliest[i] == 0 && follows && (step.to < 0 || covers(now[step.to], step.needs))) {
        earliest[i] = wave;
      }
    }
    Map<List<Integer>, long[]> between = new LinkedHashMap<>();
    for (int i = 0; i < earliest.length; i++) {
      Step step = steps.get(i);
      if (earliest[i] > 0 && step.from >= 0) {
        add(
            between.computeIfAbsent(
                List.of(step.from, step.to), any -> new long[step.needs.length]),
            step.needs);
      }
    }
    long[][] next = Arrays.stream(left).map(long[]::clone).toArray(long[][]::new);
    between.forEach(
        (ends, sum) -> {
          long[] limited = sum.clone();
          for (int d = 0; d < limited.length && ends.get(1) >= 0; d++) {
            limited[d] = Math.min(limited[d], now[ends.get(1)][d]);
          }
          add(next[ends.get(0)], limited);
        });
    room.add(next);
  }

  private static void add(long[] to, long[] amounts) {
    for (int d = 0; d < to.length; d++) {
      to[d] += amounts[d];
    }
  }

  private static boolean covers(long[] room, long[] needs) {
    for (int d = 0; d < room.length; d++) {
      if (room[d] < needs[d]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the steps may end in a number of waves.
   *
   * @param tails by step, 1 more than the waves that must follow it
   */
  private boolean allows(int waves, int[] tails) {
    for (int wave = 0; wave <= waves; wave++) {
      long[][] arrived = new long[room.get(1).length][room.get(1)[0].length];
      for (int i = 0; i < tails.length; i++) {
        int latest = waves - tails[i] + 1;
        if (latest < earliest[i]) {
          return false;
        }
        if (latest <= wave && steps.get(i).to >= 0) {
          add(arrived[steps.get(i).to], steps.get(i).needs);
        }
      }
      for (int node = 0; node < arrived.length && wave > 0; node++) {
        if (!covers(room.get(Math.min(wave, room.size() - 1))[node], arrived[node])) {
          return false;
        }
      }
    }
    return true;
  }
}
