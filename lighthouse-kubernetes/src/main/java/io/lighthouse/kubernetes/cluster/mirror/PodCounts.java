package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.HostPort;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.PodTerm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * All counts that constraints have asked for, and the anti-affinity that placed pods carry. Each is
 * a group of the engine, and a rule of a newcomer names it.
 *
 * <p>A count is made when it is first asked for, from the pods that are there, and follows them
 * from then on. Of more than {@value #MOST}, those not asked for the longest go.
 */
public final class PodCounts {
  /** The largest number of counts that are kept. */
  private static final int MOST = 2048;

  private final Map<Object, PodCount> byKey = new LinkedHashMap<>();

  /** The placed pods, those that only have room reserved left out. */
  private final Map<LabelledPods.Key, LabelledPods> byLabels = new LinkedHashMap<>();

  /** Required anti-affinity of placed pods, and how many carry each. */
  private final Map<PodTerm, Integer> carried = new LinkedHashMap<>();

  /** Which of it is about newcomers with some labels; as long as it does not change. */
  private final Map<LabelledPods.Key, List<PodTerm>> against = new HashMap<>();

  /** The placed pods that use claims. */
  public final ClaimUsers claimUsers = new ClaimUsers();

  private long clock;

  /** A count that is kept already, or null. */
  public PodCount find(Object key) {
    PodCount count = byKey.get(key);
    if (count != null) {
      count.lastUsed = ++clock;
    }
    return count;
  }

  /** Keeps a count, and has it count the pods that are there; answers those. */
  public List<PodEntry> keep(Object key, PodCount count, Function<String, NodeFacts> nodes) {
    count.lastUsed = ++clock;
    byKey.put(key, count);
    List<PodEntry> counted = new ArrayList<>();
    for (LabelledPods pods : byLabels.values()) {
      if (count.selects(pods.key)) {
        pods.selectedBy.add(count);
        for (PodEntry pod : pods.pods) {
          NodeFacts node = nodes.apply(pod.node);
          if (count.counts(pod.facts, node)) {
            count.add(pod, node);
            pod.counts.add(count);
            counted.add(pod);
          }
        }
      }
    }
    return counted;
  }

  /** Drops a count; answers the pods that it counted. */
  public List<PodEntry> drop(Object key) {
    PodCount count = byKey.remove(key);
    byLabels.values().forEach(pods -> pods.selectedBy.remove(count));
    count.members.forEach(pod -> pod.counts.remove(count));
    return List.copyOf(count.members);
  }

  public Collection<PodCount> all() {
    return byKey.values();
  }

  /** The keys of the counts that are too many. */
  public List<Object> superfluous() {
    if (byKey.size() <= MOST) {
      return List.of();
    }
    List<Map.Entry<Object, PodCount>> oldest = new ArrayList<>(byKey.entrySet());
    oldest.sort((a, b) -> Long.compare(a.getValue().lastUsed, b.getValue().lastUsed));
    List<Object> keys = new ArrayList<>();
    for (Map.Entry<Object, PodCount> entry : oldest.subList(0, MOST / 2)) {
      keys.add(entry.getKey());
    }
    return keys;
  }

  /** The keys of counts in which the labels of namespaces have a say. */
  public List<Object> selectingNamespaces() {
    List<Object> keys = new ArrayList<>();
    byKey.forEach(
        (key, count) -> {
          if (count instanceof SelectedPods pods && pods.selectsNamespaces()) {
            keys.add(key);
          }
        });
    return keys;
  }

  /** A pod has come to a node, or its node is known from now on. */
  void add(PodEntry pod, NodeFacts node) {
    for (PodTerm term : pod.facts.antiAffinity) {
      if (carried.merge(term, 1, Integer::sum) == 1) {
        against.clear();
      }
    }
    if (!pod.reserved) {
      for (PodCount count : enter(pod).selectedBy) {
        if (count.counts(pod.facts, node)) {
          count.add(pod, node);
          pod.counts.add(count);
        }
      }
    }
    pod.groups = groups(pod);
    claimUsers.add(pod);
  }

  private LabelledPods enter(PodEntry pod) {
    LabelledPods.Key key = LabelledPods.Key.of(pod.facts);
    LabelledPods pods = byLabels.get(key);
    if (pods == null) {
      pods = new LabelledPods(key);
      byLabels.put(key, pods);
      for (PodCount count : byKey.values()) {
        if (count.selects(key)) {
          pods.selectedBy.add(count);
        }
      }
    }
    pods.pods.add(pod);
    return pods;
  }

  /** A pod leaves its node, or its node is not known any more. */
  void remove(PodEntry pod, NodeFacts node) {
    for (PodTerm term : pod.facts.antiAffinity) {
      if (carried.merge(term, -1, Integer::sum) == 0) {
        carried.remove(term);
        against.clear();
      }
    }
    LabelledPods.Key key = LabelledPods.Key.of(pod.facts);
    LabelledPods pods = byLabels.get(key);
    if (pods != null && pods.pods.remove(pod) && pods.pods.isEmpty()) {
      byLabels.remove(key);
    }
    for (PodCount count : pod.counts) {
      count.remove(pod, node);
    }
    pod.counts.clear();
    pod.groups = Set.of();
    claimUsers.remove(pod, node.name());
  }

  /**
   * The anti-affinity of placed pods that is about a newcomer, in the order of its text.
   *
   * @param namespaceLabels the labels of its namespace; none where it is not known
   */
  public List<PodTerm> against(PodFacts pod, Map<String, String> namespaceLabels) {
    if (carried.isEmpty()) {
      return List.of();
    }
    if (against.size() > MOST) {
      against.clear();
    }
    return against.computeIfAbsent(
        LabelledPods.Key.of(pod),
        key -> {
          List<PodTerm> terms = new ArrayList<>();
          for (PodTerm term : carried.keySet()) {
            if (term.pods().match(key.namespace(), key.labels(), namespaceLabels)) {
              terms.add(term);
            }
          }
          terms.sort(Comparator.comparing(PodTerm::toString));
          return terms;
        });
  }

  /** The labels of namespaces are others. */
  public void forgetAgainst() {
    against.clear();
  }

  /** The group of those who carry a term. */
  public static String carriers(PodTerm term) {
    return "against " + term;
  }

  /** The groups that the engine is to have a placed pod in. */
  static Set<String> groups(PodEntry pod) {
    PodFacts facts = pod.facts;
    if (facts.antiAffinity.isEmpty() && facts.ports.isEmpty() && pod.counts.isEmpty()) {
      return Set.of();
    }
    Set<String> groups = new TreeSet<>();
    for (HostPort port : facts.ports) {
      groups.add(port.group());
      groups.add(port.groupAt(port.address()));
    }
    for (PodTerm term : facts.antiAffinity) {
      groups.add(carriers(term));
    }
    for (PodCount count : pod.counts) {
      groups.add(count.group);
    }
    return groups;
  }
}
