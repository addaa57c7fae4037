package io.lighthouse.kubernetes.shadow;

import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.SpreadConstraint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The last bindings, and whether they may have been decided in another order than they became
 * known.
 *
 * <p>Only topology spread and affinity need this. Resources, ports and anti-affinity hold in every
 * order if they hold in one. A pod with affinity to its like may be the first of its kind anywhere,
 * and later only beside the others. For one thread at a time.
 */
final class RecentBindings {
  /** The largest number of bindings that are kept. */
  private static final int MOST = 512;

  /** The largest number of bindings that are put into another order. */
  private static final int MOST_ORDERED = 32;

  /** The largest number of checks for one refused pod. */
  private static final int MOST_CHECKS = 500;

  private final Cluster cluster;

  /** How many checks were made for the present pod. */
  private int checks;

  private final Deque<Recent> recent = new ArrayDeque<>();

  /**
   * A binding.
   *
   * @param waiting the pod as it was when it waited
   * @param isRefused whether Lighthouse refused the node when the binding became known
   */
  private record Recent(PodFacts waiting, String node, long at, boolean isRefused) {
    String uid() {
      return waiting.pod.uid();
    }

    /** The tightest hard spread of the pod; the largest number where it has none. */
    int tightest() {
      return waiting.spreads.stream()
          .filter(SpreadConstraint::hard)
          .mapToInt(SpreadConstraint::maxSkew)
          .min()
          .orElse(Integer.MAX_VALUE);
    }
  }

  RecentBindings(Cluster cluster) {
    this.cluster = cluster;
  }

  void add(PodFacts waiting, String node, long nanos, boolean isRefused) {
    if (recent.size() == MOST) {
      recent.removeFirst();
    }
    recent.addLast(new Recent(waiting, node, nanos, isRefused));
  }

  /**
   * Whether there is an order of the bindings since a moment in which a refused pod fits its node,
   * and so does each pod that was not refused. Where neither the pod nor a binding in its own
   * domains has affinity, only these bindings are put into another order, for only they can be too
   * many. Otherwise all are: a pod with affinity may have been the first of its kind anywhere.
   * Other pods that have ended have no turn. The search gives up after {@link #MOST_CHECKS} checks,
   * and may then miss an order.
   */
  boolean fitInSomeOrder(PodFacts pod, long since) {
    Recent refused = null;
    for (Recent one : recent) {
      refused = one.uid().equals(pod.pod.uid()) ? one : refused;
    }
    boolean hasAffinity = !pod.affinity.isEmpty();
    if (refused == null || !hasAffinity && refused.tightest() == Integer.MAX_VALUE) {
      return false;
    }
    long at = refused.at;
    List<Recent> byTime = new ArrayList<>(recent);
    byTime.sort(Comparator.comparingLong(one -> Math.abs(one.at - at)));
    List<Recent> open = new ArrayList<>();
    List<Recent> elsewhere = new ArrayList<>();
    for (Recent one : byTime) {
      if (one != refused && one.at - since >= 0 && cluster.facts(one.uid()) != null) {
        boolean isNear = isInSameDomain(pod, refused.node, one.node);
        (isNear ? open : elsewhere).add(one);
        hasAffinity |= isNear && !one.waiting.affinity.isEmpty();
      }
    }
    if (hasAffinity) {
      open.addAll(elsewhere);
    }
    open.subList(Math.min(open.size(), MOST_ORDERED), open.size()).clear();
    open.sort(Comparator.comparingInt(Recent::tightest));
    open.add(0, refused);
    checks = 0;
    return isOrdered(open, refused, new HashSet<>());
  }

  /**
   * Whether the open bindings can be put into an order in which each fits at its turn. The refused
   * one and all that were not refused must have had their turns.
   *
   * @param tried sets of open bindings that lead nowhere
   */
  private boolean isOrdered(List<Recent> open, Recent refused, Set<Set<String>> tried) {
    if (!open.contains(refused) && open.stream().allMatch(Recent::isRefused)) {
      return true;
    }
    List<String> uids = open.stream().map(Recent::uid).toList();
    if (!tried.add(Set.copyOf(uids))) {
      return false;
    }
    for (Recent one : List.copyOf(open)) {
      List<String> without = uids.stream().filter(uid -> !uid.equals(one.uid())).toList();
      if (checks == MOST_CHECKS) {
        return false;
      }
      checks++;
      if (ClusterPair.fitsInPlace(cluster, one.waiting, one.node, without)) {
        List<Recent> rest = new ArrayList<>(open);
        rest.remove(one);
        if (isOrdered(rest, refused, tried)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isInSameDomain(PodFacts pod, String node, String other) {
    NodeFacts one = cluster.fleet().facts(node);
    NodeFacts two = cluster.fleet().facts(other);
    return one != null
        && two != null
        && pod.spreads.stream()
            .map(SpreadConstraint::key)
            .anyMatch(
                key ->
                    one.labels().containsKey(key)
                        && one.labels().get(key).equals(two.labels().get(key)));
  }
}
