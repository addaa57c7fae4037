package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Taint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes and the pods on them, kept in step with a distributor by changes as values.
 *
 * <p>{@link EngineWords} says what they are in the engine. A placed pod has no rules: only
 * newcomers do, made anew for each decision. So whatever another scheduler has placed can be taken
 * in, however little it fits.
 *
 * <p>The books of this class change before the engine does. Where a change fails halfway the two
 * disagree from then on, and an {@link IllegalStateException} says so: the mirror must be thrown
 * away.
 */
public final class MirroredFleet {
  private final Distributor distributor;
  private final PodCounts counts;
  private final Map<String, NodeEntry> nodes = new LinkedHashMap<>();

  /** The pods for which a scheduler has made room. */
  private final Set<PodEntry> reserved = new LinkedHashSet<>();

  final FleetVocabulary vocabulary = new FleetVocabulary();

  /** That of all known nodes. */
  private final ResourceUse use = new ResourceUse();

  private int known;

  public MirroredFleet(Distributor distributor, PodCounts counts) {
    this.distributor = distributor;
    this.counts = counts;
  }

  public Distributor distributor() {
    return distributor;
  }

  /** The nodes that are known, and those that only pods name. */
  public Map<String, NodeEntry> nodes() {
    return nodes;
  }

  /** The facts of a node, or null where it is not known. */
  public NodeFacts facts(String node) {
    NodeEntry entry = nodes.get(node);
    return entry == null ? null : entry.facts;
  }

  public int size() {
    return known;
  }

  public long vocabulary() {
    return vocabulary.version();
  }

  public Collection<Taint> softTaints() {
    return vocabulary.softTaints();
  }

  /** The share that is in use of the fullest common resource of all nodes. */
  public double load() {
    return use.largestShare();
  }

  /** The number of nodes that have a label. */
  public int nodesWith(String label) {
    return vocabulary.nodesWith(label);
  }

  public Collection<String> values(String label) {
    return vocabulary.values(label);
  }

  // ---- nodes ----

  /** Carries out a change of the books and the engine. */
  private static void change(Runnable change) {
    try {
      change.run();
    } catch (RuntimeException failed) {
      throw new IllegalStateException("the mirror is half applied: " + failed, failed);
    }
  }

  public void nodeChanged(NodeFacts facts) {
    change(() -> replace(facts));
  }

  private void replace(NodeFacts facts) {
    NodeEntry entry = nodes.computeIfAbsent(facts.name(), name -> new NodeEntry());
    NodeFacts before = entry.facts;
    if (facts.equals(before)) {
      return;
    }
    List<Change> changes = new ArrayList<>();
    boolean stays =
        before != null && EngineWords.domains(before).equals(EngineWords.domains(facts));
    Map<PodEntry, Set<String>> grouped = new LinkedHashMap<>();
    for (PodEntry pod : entry.pods) {
      grouped.put(pod, pod.groups);
    }
    if (before != null) {
      forget(entry);
    }
    entry.facts = facts;
    learn(entry);
    if (stays) {
      changes.add(new Change.Resize(facts.name(), EngineWords.capacity(entry)));
      grouped.forEach(
          (pod, groups) -> {
            if (!groups.equals(pod.groups)) {
              changes.add(new Change.Regroup(pod.uid(), pod.groups));
            }
          });
    } else {
      if (before != null) {
        takeAway(entry, before.name(), changes);
      }
      changes.add(new Change.AddNode(EngineWords.node(entry)));
      entry.pods.forEach(pod -> pod.placed = true);
    }
    distributor.apply(changes);
  }

  public void nodeGone(String name) {
    change(() -> removeNode(name));
  }

  private void removeNode(String name) {
    NodeEntry entry = nodes.get(name);
    if (entry == null || entry.facts == null) {
      return;
    }
    List<Change> changes = new ArrayList<>();
    takeAway(entry, name, changes);
    forget(entry);
    entry.facts = null;
    entry.used.clear();
    entry.capacity.clear();
    distributor.apply(changes);
    dropIfUnnamed(name, entry);
  }

  private static void takeAway(NodeEntry entry, String name, List<Change> changes) {
    for (PodEntry pod : entry.pods) {
      changes.add(new Change.Release(pod.uid()));
      pod.placed = false;
    }
    changes.add(new Change.RemoveNode(name));
  }

  private void dropIfUnnamed(String name, NodeEntry entry) {
    if (entry.facts == null && entry.pods.isEmpty()) {
      nodes.remove(name);
    }
  }

  /** What a node adds to all that is known of the fleet; its pods are counted. */
  private void learn(NodeEntry entry) {
    NodeFacts facts = entry.facts;
    known++;
    vocabulary.count(facts, 1);
    use.count(facts, 1);
    entry.used.clear();
    entry.loadChanged();
    entry.capacity.clear();
    entry.capacity.putAll(facts.allocatable());
    for (PodEntry pod : entry.pods) {
      use(entry, pod.facts, 1);
    }
    entry.used.keySet().forEach(resource -> entry.capacity.putIfAbsent(resource, 0L));
    countExcess(entry, 1);
    for (PodCount count : counts.all()) {
      count.nodeCame(facts);
    }
    for (PodEntry pod : entry.pods) {
      counts.add(pod, facts);
    }
  }

  /** Takes back what {@link #learn} did. */
  private void forget(NodeEntry entry) {
    NodeFacts facts = entry.facts;
    known--;
    vocabulary.count(facts, -1);
    use.count(facts, -1);
    entry.used.forEach((resource, units) -> use.use(resource, -units));
    countExcess(entry, -1);
    for (PodEntry pod : entry.pods) {
      counts.remove(pod, facts);
    }
    for (PodCount count : counts.all()) {
      count.nodeLeft(facts);
    }
  }

  private void countExcess(NodeEntry entry, int by) {
    for (String resource : entry.used.keySet()) {
      if (entry.excess(resource) > 0) {
        vocabulary.countOvercommitted(resource, by);
      }
    }
  }

  // ---- pods ----

  /** A pod is on a node from now on, which need not be known, nor have room. */
  public void place(PodEntry pod, String name) {
    change(() -> assign(pod, name));
  }

  private void assign(PodEntry pod, String name) {
    NodeEntry entry = enter(pod, name);
    if (entry.facts == null) {
      return;
    }
    boolean fits = plain(entry) && entry.fits(pod.facts.request);
    List<Change> changes = new ArrayList<>(2);
    if (account(entry, pod.facts, 1)) {
      changes.add(new Change.Resize(name, EngineWords.capacity(entry)));
    }
    counts.add(pod, entry.facts);
    changes.add(new Change.Assign(EngineWords.workload(pod, fits ? null : entry), name));
    distributor.apply(changes);
    pod.placed = true;
  }

  /** Room on a node is kept for a pod from now on; the node need not be known, nor have room. */
  public void reserve(PodEntry pod, String name) {
    pod.reserved = true;
    reserved.add(pod);
    place(pod, name);
  }

  /** The pods for which room is kept. */
  public Collection<PodEntry> reserved() {
    return reserved;
  }

  /** The engine has just placed a pod, with the words of a newcomer. */
  public void placed(PodEntry pod, String name, Workload newcomer) {
    change(() -> account(pod, name, newcomer));
  }

  private void account(PodEntry pod, String name, Workload newcomer) {
    NodeEntry entry = enter(pod, name);
    boolean fits = plain(entry) && entry.fits(pod.facts.request);
    account(entry, pod.facts, 1);
    counts.add(pod, entry.facts);
    if (newcomer.terms() != Terms.NONE || !pod.groups.isEmpty()) {
      distributor.apply(
          new Change.Release(pod.uid()),
          new Change.Assign(EngineWords.workload(pod, fits ? null : entry), name));
    }
    pod.placed = true;
  }

  private NodeEntry enter(PodEntry pod, String name) {
    NodeEntry entry = nodes.computeIfAbsent(name, unknown -> new NodeEntry());
    entry.pods.add(pod);
    pod.node = name;
    return entry;
  }

  /** A pod has no node any more, not even one that is assumed, or where room is kept for it. */
  public void takeAway(PodEntry pod) {
    remove(pod);
    reserved.remove(pod);
    pod.reserved = false;
    pod.assumed = false;
  }

  /** A pod leaves its node. */
  public void remove(PodEntry pod) {
    change(() -> release(pod));
  }

  private void release(PodEntry pod) {
    String name = pod.node;
    NodeEntry entry = nodes.get(name);
    entry.pods.remove(pod);
    pod.node = null;
    if (entry.facts != null) {
      account(entry, pod.facts, -1);
      counts.remove(pod, entry.facts);
      distributor.apply(new Change.Release(pod.uid()));
      pod.placed = false;
    }
    dropIfUnnamed(name, entry);
  }

  /** Makes the engine's groups of a placed pod those that it is counted in. */
  public void regroup(PodEntry pod) {
    change(() -> enterGroups(pod));
  }

  private void enterGroups(PodEntry pod) {
    Set<String> groups = PodCounts.groups(pod);
    if (!groups.equals(pod.groups)) {
      pod.groups = groups;
      distributor.apply(new Change.Regroup(pod.uid(), groups));
    }
  }

  private static boolean plain(NodeEntry entry) {
    return !entry.facts.unschedulable()
        && entry.facts.taints().isEmpty()
        && entry.used.keySet().stream().allMatch(resource -> entry.excess(resource) <= 0);
  }

  /** Adds or takes back what a pod uses; answers whether the node needs another resource. */
  private boolean account(NodeEntry entry, PodFacts facts, int sign) {
    boolean lacks = false;
    countExcess(entry, facts, -1);
    use(entry, facts, sign);
    for (String resource : facts.request.keySet()) {
      lacks |= entry.capacity.putIfAbsent(resource, 0L) == null;
    }
    countExcess(entry, facts, 1);
    return lacks;
  }

  private void countExcess(NodeEntry entry, PodFacts facts, int by) {
    for (String resource : facts.request.keySet()) {
      if (entry.excess(resource) > 0) {
        vocabulary.countOvercommitted(resource, by);
      }
    }
    if (entry.excess(NodeFacts.PODS) > 0) {
      vocabulary.countOvercommitted(NodeFacts.PODS, by);
    }
  }

  private void use(NodeEntry entry, PodFacts facts, int sign) {
    use(entry, NodeFacts.PODS, sign);
    facts.request.forEach((resource, units) -> use(entry, resource, sign * units));
    entry.loadChanged();
  }

  private void use(NodeEntry entry, String resource, long units) {
    entry.used.merge(
        resource, units, (one, more) -> one + more == 0 ? null : Long.valueOf(one + more));
    use.use(resource, units);
  }

  /** The wards and overcommitted resources that do not matter to a newcomer. */
  public Set<String> immunities(PodFacts facts) {
    return vocabulary.immunities(facts);
  }
}
