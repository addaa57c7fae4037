package io.lighthouse.kubernetes.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * All counts that constraints have asked for, and the anti-affinity that placed pods carry. Each is
 * a group of the engine, and a rule of a newcomer names it.
 *
 * <p>A count is made when it is first asked for, from the pods that are there, and follows them
 * from then on. Of more than {@value #MOST}, those not asked for the longest go.
 */
final class PodCounts {
  /** So many counts are kept in step. */
  private static final int MOST = 2048;

  private final Map<Object, PodCount> byKey = new LinkedHashMap<>();
  private final Map<String, Set<PodCount>> byNamespace = new LinkedHashMap<>();
  private final Set<PodCount> ofAnyNamespace = new LinkedHashSet<>();

  /** Required anti-affinity of placed pods, and how many carry each; by namespace where named. */
  private final Map<PodTerm, Integer> carried = new LinkedHashMap<>();

  private final Map<String, Set<PodTerm>> carriedByNamespace = new LinkedHashMap<>();
  private final Set<PodTerm> carriedForAny = new LinkedHashSet<>();
  private long clock;
  private long made;

  /** A count that is kept already, or null. */
  PodCount find(Object key) {
    PodCount count = byKey.get(key);
    if (count != null) {
      count.lastUsed = ++clock;
    }
    return count;
  }

  /** A number for the next count of a spread. */
  long next() {
    return ++made;
  }

  void keep(Object key, PodCount count) {
    count.lastUsed = ++clock;
    byKey.put(key, count);
    index(count, true);
  }

  void drop(Object key) {
    PodCount count = byKey.remove(key);
    index(count, false);
  }

  private void index(PodCount count, boolean in) {
    if (count.namespaces() == null) {
      change(ofAnyNamespace, count, in);
    } else {
      for (String namespace : count.namespaces()) {
        Set<PodCount> of = byNamespace.computeIfAbsent(namespace, name -> new LinkedHashSet<>());
        change(of, count, in);
        if (of.isEmpty()) {
          byNamespace.remove(namespace);
        }
      }
    }
  }

  private static <T> void change(Set<T> set, T element, boolean in) {
    if (in) {
      set.add(element);
    } else {
      set.remove(element);
    }
  }

  Collection<PodCount> all() {
    return byKey.values();
  }

  /** The keys of counts that are too many, or whose namespaces have changed. */
  List<Object> superfluous() {
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
  List<Object> selectingNamespaces() {
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
        indexCarried(term, true);
      }
    }
    if (!pod.reserved) {
      addTo(byNamespace.getOrDefault(pod.facts.pod.namespace(), Set.of()), pod, node);
      addTo(ofAnyNamespace, pod, node);
    }
    pod.groups = groups(pod);
  }

  private static void addTo(Set<PodCount> counts, PodEntry pod, NodeFacts node) {
    for (PodCount count : counts) {
      if (count.counts(pod.facts, node)) {
        count.add(pod, node);
        pod.counts.add(count);
      }
    }
  }

  /** A pod leaves its node, or its node is not known any more. */
  void remove(PodEntry pod, NodeFacts node) {
    for (PodTerm term : pod.facts.antiAffinity) {
      if (carried.merge(term, -1, Integer::sum) == 0) {
        carried.remove(term);
        indexCarried(term, false);
      }
    }
    for (PodCount count : pod.counts) {
      count.remove(pod, node);
    }
    pod.counts.clear();
    pod.groups = Set.of();
  }

  private void indexCarried(PodTerm term, boolean in) {
    if (!term.pods().selectedNamespaces().nothing()) {
      change(carriedForAny, term, in);
      return;
    }
    for (String namespace : term.pods().namespaces()) {
      Set<PodTerm> of =
          carriedByNamespace.computeIfAbsent(namespace, name -> new LinkedHashSet<>());
      change(of, term, in);
      if (of.isEmpty()) {
        carriedByNamespace.remove(namespace);
      }
    }
  }

  /**
   * The anti-affinity of placed pods that is about a newcomer.
   *
   * @param namespaceLabels the labels of its namespace; none where it is not known
   */
  List<PodTerm> against(PodFacts pod, Map<String, String> namespaceLabels) {
    Set<PodTerm> near = carriedByNamespace.getOrDefault(pod.pod.namespace(), Set.of());
    if (near.isEmpty() && carriedForAny.isEmpty()) {
      return List.of();
    }
    List<PodTerm> terms = new ArrayList<>();
    for (Set<PodTerm> among : List.of(near, carriedForAny)) {
      for (PodTerm term : among) {
        if (pod.isAmong(term.pods(), namespaceLabels)) {
          terms.add(term);
        }
      }
    }
    return terms;
  }

  /** The group of those who carry a term. */
  static String carriers(PodTerm term) {
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
