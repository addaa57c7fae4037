package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.PodTerm;
import io.lighthouse.kubernetes.cluster.object.SpreadConstraint;
import io.lighthouse.kubernetes.cluster.object.Taint;
import io.lighthouse.kubernetes.cluster.object.Toleration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The placed pods that a topology spread constraint counts, by domain: those on nodes that hold all
 * keys of the newcomer's constraints and pass its policies. A domain is there while such a node is.
 */
public final class SpreadPods extends PodCount {
  /**
   * What makes two of them the same.
   *
   * @param pods the pods counted, of one namespace
   * @param key the label whose values are the domains
   * @param keys the labels that a node must have to count
   * @param selection what a node must be selected by to count
   * @param tolerations what must tolerate a node's taints for it to count; null for no matter
   */
  public record Key(
      PodTerm.Pods pods,
      String key,
      Set<String> keys,
      NodeSelection selection,
      List<Toleration> tolerations) {
    /** What a hard constraint of a pod counts. */
    public static Key of(PodFacts pod, SpreadConstraint constraint) {
      Set<String> keys = new TreeSet<>();
      for (SpreadConstraint one : pod.spreads) {
        if (one.hard()) {
          keys.add(one.key());
        }
      }
      return new Key(
          PodTerm.Pods.of(pod.pod.namespace(), constraint.selector()),
          constraint.key(),
          keys,
          constraint.honorsAffinity() ? pod.selection : NodeSelection.ALL,
          constraint.honorsTaints() ? pod.tolerations : null);
    }

    /** Whether the pods on a node count, and its domain is there. */
    public boolean includes(NodeFacts node) {
      if (!node.labels().keySet().containsAll(keys) || !selection.matches(node)) {
        return false;
      }
      if (tolerations != null) {
        for (Taint taint : node.taints()) {
          if (taint.hard() && !Toleration.tolerated(taint, tolerations)) {
            return false;
          }
        }
      }
      return true;
    }
  }

  private static final class Domain {
    int nodes;
    int pods;
  }

  public final Key key;
  private final Map<String, Domain> domains = new HashMap<>();

  /** The number of domains for each number of pods. */
  private final TreeMap<Integer, Integer> histogram = new TreeMap<>();

  /** The names of the nodes that count. */
  private final Set<String> included = new HashSet<>();

  public SpreadPods(Key key) {
    super("spread " + key);
    this.key = key;
  }

  @Override
  boolean selects(LabelledPods.Key pods) {
    return !key.pods().labels().matchesEverything()
        && key.pods().match(pods.namespace(), pods.labels(), null);
  }

  @Override
  boolean counts(PodFacts pod, NodeFacts node) {
    return !pod.deleting && included.contains(node.name());
  }

  @Override
  public void nodeCame(NodeFacts node) {
    if (key.includes(node)) {
      included.add(node.name());
      Domain domain = domains.get(node.labels().get(key.key()));
      if (domain == null) {
        domain = new Domain();
        domains.put(node.labels().get(key.key()), domain);
        histogram.merge(0, 1, Integer::sum);
      }
      domain.nodes++;
    }
  }

  /** Its pods must have been removed before. */
  @Override
  void nodeLeft(NodeFacts node) {
    if (included.remove(node.name())) {
      String value = node.labels().get(key.key());
      Domain domain = domains.get(value);
      if (--domain.nodes == 0) {
        domains.remove(value);
        drop(domain.pods);
      }
    }
  }

  @Override
  void add(PodEntry pod, NodeFacts node) {
    super.add(pod, node);
    move(node, 1);
  }

  @Override
  void remove(PodEntry pod, NodeFacts node) {
    super.remove(pod, node);
    move(node, -1);
  }

  private void move(NodeFacts node, int by) {
    Domain domain = domains.get(node.labels().get(key.key()));
    drop(domain.pods);
    domain.pods += by;
    histogram.merge(domain.pods, 1, Integer::sum);
  }

  private void drop(int pods) {
    histogram.computeIfPresent(pods, (at, count) -> count == 1 ? null : count - 1);
  }

  /** What the emptiest domain holds; 0 where there are fewer domains than asked for. */
  public int floor(int minDomains) {
    return domains.isEmpty() || domains.size() < minDomains ? 0 : histogram.firstKey();
  }
}
