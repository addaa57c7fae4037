package io.lighthouse.tests.plans;

import io.lighthouse.api.Change;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The number of waves that the changes of a plan need at least, in whatever order. Each number is
 * tried, from 0 on, until it is not refuted. Every change has an earliest and a latest wave. These
 * are narrowed until nothing changes (Klein and Scholl 1999, "destructive improvement"):
 *
 * <ul>
 *   <li>Moves of one workload keep their order, each in a wave of its own.
 *   <li>What has arrived on a node by a wave takes no more than the node has left before the plan,
 *       and what has left it by the wave before. What leaves a node must have room elsewhere.
 *   <li>A wave moves no more of an aversion group than the limit says.
 * </ul>
 */
final class WaveBound {
  /** A change; {@code from} is -1 for a workload that is new. */
  private record Step(String workload, int from, int to, long[] needs, Set<String> groups) {}

  /** A node that is left for another. */
  private record Ends(int from, int to) {}

  private final List<Step> steps;

  /** By node and resource, what is left before the plan. */
  private final long[][] left;

  private final int mostOfAGroup;

  /** By step, the first and the last wave that it may be in. */
  private final int[] earliest;

  private final int[] latest;

  /** Whether nothing has shown yet that the number of waves is too small. */
  private boolean isPossible;

  /** Whether a wave of a step was narrowed. */
  private boolean isNarrower;

  private WaveBound(List<Step> steps, long[][] left, int mostOfAGroup) {
    this.steps = steps;
    this.left = left;
    this.mostOfAGroup = mostOfAGroup;
    earliest = new int[steps.size()];
    latest = new int[steps.size()];
  }

  /**
   * The bound.
   *
   * @param fleet before the plan; no workload is immune to one of the resources, or gives it
   * @param resources which every node has
   * @param mostOfAGroup the most moves out of one aversion group in one wave
   */
  static int of(Snapshot fleet, Plan plan, List<String> resources, int mostOfAGroup) {
    Map<String, Integer> nodes = new HashMap<>();
    Map<String, Workload> workloads = new HashMap<>();
    List<long[]> left = new ArrayList<>();
    for (NodeState node : fleet.nodes()) {
      nodes.put(node.name(), nodes.size());
      left.add(amounts(node.left(), resources));
      node.workloads().forEach(one -> workloads.put(one.name(), one));
    }
    List<Step> steps = new ArrayList<>();
    for (Change change : plan.changes()) {
      if (change instanceof Change.Assign assign) {
        Workload of = assign.workload();
        workloads.put(of.name(), of);
        long[] needs = amounts(of.requirements(), resources);
        steps.add(new Step(of.name(), -1, nodes.get(assign.node()), needs, Set.of()));
      } else {
        Change.Move move = (Change.Move) change;
        Workload of = workloads.get(move.workload());
        long[] needs = amounts(of.requirements(), resources);
        int from = nodes.get(move.from());
        steps.add(new Step(of.name(), from, nodes.get(move.to()), needs, of.aversionGroups()));
      }
    }
    WaveBound bound = new WaveBound(steps, left.toArray(long[][]::new), mostOfAGroup);
    int waves = 0;
    while (!bound.allows(waves)) {
      waves++;
    }
    return waves;
  }

  private static long[] amounts(Resources of, List<String> resources) {
    return resources.stream()
        .mapToLong(
            name -> of.get(name).map(each -> each.toBigDecimal().longValueExact()).orElse(0L))
        .toArray();
  }

  /** Whether a number of waves is not refuted. */
  private boolean allows(int waves) {
    Arrays.fill(earliest, 1);
    Arrays.fill(latest, waves);
    isPossible = true;
    isNarrower = true;
    while (isNarrower && isPossible) {
      isNarrower = false;
      followEachOther();
      long[][] room = left;
      for (int wave = 1; wave <= waves; wave++) {
        room = fit(wave, room);
      }
      for (int first = 1; first <= waves; first++) {
        countGroups(first, waves);
      }
      for (int i = 0; i < latest.length; i++) {
        isPossible &= earliest[i] <= latest[i];
      }
    }
    return isPossible;
  }

  private void notBefore(int step, int wave) {
    isNarrower |= wave > earliest[step];
    earliest[step] = Math.max(earliest[step], wave);
  }

  private void notAfter(int step, int wave) {
    isNarrower |= wave < latest[step];
    latest[step] = Math.min(latest[step], wave);
  }

  private void followEachOther() {
    Map<String, Integer> last = new HashMap<>();
    for (int i = 0; i < latest.length; i++) {
      Integer before = last.put(steps.get(i).workload, i);
      if (before != null) {
        notBefore(i, earliest[before] + 1);
        notAfter(before, latest[i] - 1);
      }
    }
  }

  /**
   * Narrows the steps that cannot have arrived by a wave, or must have left before it.
   *
   * @param before by node, what those may take of it that need not have arrived the wave before
   * @return the same for this wave
   */
  private long[][] fit(int wave, long[][] before) {
    long[][] room = Arrays.stream(left).map(long[]::clone).toArray(long[][]::new);
    Map<Ends, List<Integer>> mayLeave = new LinkedHashMap<>();
    for (int i = 0; i < latest.length; i++) {
      Step step = steps.get(i);
      if (step.from >= 0 && latest[i] < wave) {
        add(step.needs, 1, room[step.from]);
      } else if (step.from >= 0 && earliest[i] < wave) {
        Ends ends = new Ends(step.from, step.to);
        mayLeave.computeIfAbsent(ends, any -> new ArrayList<>()).add(i);
      }
      if (latest[i] <= wave) {
        add(step.needs, -1, room[step.to]);
      }
    }
    mayLeave.forEach((ends, some) -> add(most(some, before[ends.to]), 1, room[ends.from]));
    for (long[] of : room) {
      isPossible &= !isShort(of);
    }
    mayLeave.forEach(
        (ends, some) -> {
          long[] withoutAll = room[ends.from].clone();
          add(most(some, before[ends.to]), -1, withoutAll);
          for (int step : some) {
            List<Integer> others = some.stream().filter(other -> other != step).toList();
            long[] without = withoutAll.clone();
            add(most(others, before[ends.to]), 1, without);
            if (isShort(without)) {
              notAfter(step, wave - 1);
            }
          }
        });
    for (int i = 0; i < latest.length; i++) {
      long[] without = room[steps.get(i).to].clone();
      add(steps.get(i).needs, -1, without);
      if (latest[i] > wave && isShort(without)) {
        notBefore(i, wave + 1);
      }
    }
    return room;
  }

  /** By resource, the most that some of the steps need together and that there is room for. */
  private long[] most(List<Integer> some, long[] room) {
    long[] most = new long[room.length];
    for (int d = 0; d < room.length; d++) {
      BitSet sums = new BitSet();
      sums.set(0);
      for (int step : some) {
        int need = (int) steps.get(step).needs[d];
        BitSet more = new BitSet();
        sums.stream().forEach(sum -> more.set(sum + need));
        sums.or(more);
      }
      most[d] = sums.previousSetBit((int) Math.max(0, room[d]));
    }
    return most;
  }

  private static boolean isShort(long[] room) {
    return Arrays.stream(room).anyMatch(amount -> amount < 0);
  }

  private static void add(long[] amounts, int sign, long[] to) {
    for (int d = 0; d < to.length; d++) {
      to[d] += sign * amounts[d];
    }
  }

  /** Checks that the moves of a group that are in some waves are not too many for these. */
  private void countGroups(int first, int waves) {
    for (int last = first; last <= waves; last++) {
      Map<String, Integer> counts = new HashMap<>();
      for (int i = 0; i < latest.length; i++) {
        if (first <= earliest[i] && latest[i] <= last) {
          steps.get(i).groups.forEach(group -> counts.merge(group, 1, Integer::sum));
        }
      }
      long most = (long) mostOfAGroup * (last - first + 1);
      isPossible &= counts.values().stream().allMatch(count -> count <= most);
    }
  }
}
