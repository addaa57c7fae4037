package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.error.Plural;
import io.lighthouse.kubernetes.cluster.mirror.MirroredFleet;
import io.lighthouse.kubernetes.cluster.mirror.NodeEntry;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decides which pods are evicted for a pod that fits no node: those of a lower priority on the node
 * where this does the least harm ({@link VictimSearch}).
 *
 * <p>Only nodes whose refusal the removal of pods may resolve are tried. Members of gangs preempt
 * nothing. A pod whose victims are ending waits for them.
 */
final class Preemption {
  private static final String NEVER = "not eligible due to preemptionPolicy=Never.";
  private static final String TERMINATING =
      "not eligible due to a terminating pod on the nominated node.";
  private static final String NO_VICTIMS = "No preemption victims found for incoming pod";
  private static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";

  private final MirroredFleet fleet;
  private final ConstraintTranslator translator;
  private final DisruptionBudgets budgets;
  private final Profiles profiles;

  Preemption(
      MirroredFleet fleet,
      ConstraintTranslator translator,
      DisruptionBudgets budgets,
      Profiles profiles) {
    this.fleet = fleet;
    this.translator = translator;
    this.budgets = budgets;
    this.profiles = profiles;
  }

  /**
   * The decision about a refused pod. Where others are evicted for it, it has the node reserved and
   * its victims are marked.
   *
   * @param ignored the pods whose reserved room does not count for it
   * @param hopeless messages by priority for pods of its shape for which no node has victims; a
   *     message is added where that is so for this one
   */
  Decision decide(
      PodEntry pod,
      Newcomer newcomer,
      PodRefusal refusal,
      List<PodEntry> ignored,
      Map<Integer, String> hopeless) {
    if (pod.facts.neverPreempts) {
      return new Decision.Refused(pod.facts.pod, refusal.text(NEVER), refusal.filters());
    }
    RemovalTrial trial = new RemovalTrial(fleet, translator, newcomer, ignored);
    List<NodeEntry> nodes = candidates(pod, refusal);
    if (isWaitingForVictims(pod, nodes)) {
      // It waits for its node and its victims, whichever filters it would wait for otherwise.
      return new Decision.Refused(pod.facts.pod, refusal.text(TERMINATING), Filter.ALL);
    }
    String known = hopeless.get(pod.facts.pod.priority());
    if (known != null) {
      return new Decision.Refused(pod.facts.pod, known, refusal.filters(), pod.nominated());
    }
    VictimSearch search = new VictimSearch(trial, budgets, pod.facts.pod.priority());
    int tried = 0;
    for (NodeEntry node : nodes) {
      List<PodEntry> evictable = search.evictable(node);
      if (!evictable.isEmpty()) {
        tried++;
        search.tryNode(node, evictable);
      }
    }
    if (search.best() != null) {
      return preempt(pod, refusal, search.best(), tried);
    }
    String message = refusal.text(why(refusal, nodes, search, trial));
    hopeless.put(pod.facts.pod.priority(), message);
    return new Decision.Refused(pod.facts.pod, message, refusal.filters(), pod.nominated());
  }

  /** The nodes that may fit once pods have left them, by name. */
  private List<NodeEntry> candidates(PodEntry pod, PodRefusal refusal) {
    Map<String, NodeEntry> nodes = new TreeMap<>();
    for (String name : refusal.occupied()) {
      nodes.put(name, fleet.nodes().get(name));
    }
    for (String name : refusal.lacking()) {
      NodeEntry node = fleet.nodes().get(name);
      if (!pod.facts.exceeds(node.facts)) {
        nodes.put(name, node);
      }
    }
    return List.copyOf(nodes.values());
  }

  /** Whether pods that a scheduler evicts are ending on the node that the pod is nominated to. */
  private boolean isWaitingForVictims(PodEntry pod, Collection<NodeEntry> candidates) {
    NodeEntry nominated = fleet.nodes().get(pod.nominated());
    return nominated != null && candidates.contains(nominated) && isWaitingForVictims(pod);
  }

  /** The same, whether or not the node may fit once they have gone. */
  boolean isWaitingForVictims(PodEntry pod) {
    NodeEntry nominated = fleet.nodes().get(pod.nominated());
    if (nominated == null) {
      return false;
    }
    for (PodEntry other : nominated.pods) {
      if (!other.reserved
          && other.facts.pod.priority() < pod.facts.pod.priority()
          && (other.facts.preempted || other.evictedFor != null)) {
        return true;
      }
    }
    return false;
  }

  /** Marks the victims and reserves the node. Nominations by other schedulers stay. */
  private Decision preempt(
      PodEntry pod, PodRefusal refusal, VictimSearch.Victims victims, int tried) {
    List<WaitingPod> evicted = new ArrayList<>();
    List<WaitingPod> ending = new ArrayList<>();
    for (PodEntry victim : victims.pods()) {
      if (victim.facts.deleting || victim.evictedFor != null) {
        ending.add(victim.facts.pod);
      } else {
        victim.evictedFor = pod;
        evicted.add(victim.facts.pod);
      }
    }
    List<WaitingPod> displaced = new ArrayList<>();
    for (PodEntry other : fleet.reserved()) {
      if (other != pod
          && other.nominated().equals(victims.node())
          && profiles.canPlaceTogether(pod.facts.pod, other.facts.pod)
          && other.facts.pod.priority() < pod.facts.pod.priority()) {
        displaced.add(other.facts.pod);
      }
    }
    if (evicted.isEmpty() && displaced.isEmpty() && pod.facts.nominated.equals(victims.node())) {
      // All that it needs is under way.
      return new Decision.Refused(pod.facts.pod, refusal.text(), Filter.ALL);
    }
    nominate(pod, victims.node());
    String why =
        victims.harm() + "; least harm of " + Plural.of(tried, "node") + " with evictable pods";
    return new Decision.Preempt(
        pod.facts.pod, refusal.text(), victims.node(), evicted, ending, displaced, why);
  }

  private void nominate(PodEntry pod, String node) {
    if (pod.node != null) {
      fleet.remove(pod);
    }
    pod.nominatedTo = node;
    fleet.reserve(pod, node);
  }

  /** Takes back that pods are evicted for a pod; its room is no longer reserved. */
  void takeBack(PodEntry pod) {
    for (PodEntry other : fleet.nodes().get(pod.node).pods) {
      if (other.evictedFor == pod) {
        other.evictedFor = null;
      }
    }
    pod.nominatedTo = null;
  }

  /** What the stock scheduler says where no node has pods whose eviction helps. */
  private String why(
      PodRefusal refusal, List<NodeEntry> candidates, VictimSearch search, RemovalTrial trial) {
    Map<String, Integer> counts = new TreeMap<>();
    if (refusal.nodes() > candidates.size()) {
      counts.put(NOT_HELPFUL, refusal.nodes() - candidates.size());
    }
    for (NodeEntry node : candidates) {
      List<PodEntry> evictable = search.evictable(node);
      if (evictable.isEmpty()) {
        counts.merge(NO_VICTIMS, 1, Integer::sum);
        continue;
      }
      RemovalTrial.OnNode without = trial.on(node);
      evictable.forEach(without::remove);
      without.refusal().forEach(text -> counts.merge(text, 1, Integer::sum));
    }
    return RefusalText.counted(refusal.nodes(), counts);
  }
}
