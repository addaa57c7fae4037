package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.kubernetes.cluster.object.LabelLevels;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Taint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The nodes and the pods on them, kept in step with a distributor by changes as values.
 *
 * <p>A node's resources are what is allocatable, {@code pods} always, 0 of what pods on it hold and
 * it does not have, and a ward for each taint that keeps off. Its labels are domains. A placed pod
 * is a workload by its uid, with its request and one of {@code pods}, in the groups of {@link
 * PodCounts}. It has no rules: only newcomers do, made anew for each decision. So whatever another
 * scheduler has placed can be taken in, however little it fits.
 *
 * <p>The books of this class change before the engine does. Where a change fails halfway the two
 * disagree from then on, and an {@link IllegalStateException} says so: the mirror must be thrown
 * away.
 */
public final class MirroredFleet {
  /** The ward of {@code spec.unschedulable}. */
  public static final String UNSCHEDULABLE = "spec.unschedulable";

  /** What the wards of taints begin with; no resource of Kubernetes holds a colon. */
  public static final String TAINT = "taint:";

  /** The name of the only domain at the level of a soft taint. */
  private static final String TAINTED = "tainted";

  private final Distributor distributor;
  private final PodCounts counts;
  private final Map<String, NodeEntry> nodes = new LinkedHashMap<>();

  /** The pods for which a scheduler has made room. */
  private final Set<PodEntry> reserved = new LinkedHashSet<>();

  private final FleetVocabulary vocabulary = new FleetVocabulary();

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

  Collection<Taint> hardTaints() {
    return vocabulary.hardTaints();
  }

  public Collection<Taint> softTaints() {
    return vocabulary.softTaints();
  }

  boolean anyUnschedulable() {
    return vocabulary.anyUnschedulable();
  }

  Set<String> overcommitted() {
    return vocabulary.overcommitted();
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
    boolean stays = before != null && domains(before).equals(domains(facts));
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
      changes.add(new Change.Resize(facts.name(), capacity(entry)));
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
      changes.add(new Change.AddNode(node(entry)));
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
      changes.add(new Change.Resize(name, capacity(entry)));
    }
    counts.add(pod, entry.facts);
    changes.add(new Change.Assign(workload(pod, fits ? null : entry), name));
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
          new Change.Assign(workload(pod, fits ? null : entry), name));
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
    entry.used.merge(resource, units, Long::sum);
    use.use(resource, units);
  }

  // ---- in the words of the engine ----

  static Quantity quantity(String resource, long units) {
    if (units == NodeFacts.UNLIMITED) {
      return Quantity.INFINITY;
    }
    return resource.equals("cpu") ? Quantity.ofScaled(units, 3) : Quantity.of(units);
  }

  /** What a pod requires: what it requests, and its place among the pods. */
  public static Resources required(PodFacts facts) {
    String[] names = new String[facts.request.size() + 1];
    Quantity[] quantities = new Quantity[names.length];
    int i = 0;
    for (Map.Entry<String, Long> entry : facts.request.entrySet()) {
      names[i] = entry.getKey();
      quantities[i++] = quantity(entry.getKey(), entry.getValue());
    }
    names[i] = NodeFacts.PODS;
    quantities[i] = Quantity.ONE;
    return Resources.of(names, quantities);
  }

  /** A placed pod; immune to all of a node where it does not fit plainly. */
  private static Workload workload(PodEntry pod, NodeEntry unfit) {
    Set<String> immunities = unfit == null ? Set.of() : capacity(unfit).asMap().keySet();
    Terms terms = pod.groups.isEmpty() ? Terms.NONE : Terms.NONE.inGroups(pod.groups);
    return new Workload(pod.uid(), required(pod.facts), immunities, Set.of(), terms);
  }

  private static Resources capacity(NodeEntry entry) {
    return resources(entry, false);
  }

  private static Resources resources(NodeEntry entry, boolean left) {
    Map<String, Quantity> resources = new TreeMap<>(Names.order());
    entry.capacity.forEach(
        (resource, units) -> {
          boolean isFinite = units != NodeFacts.UNLIMITED;
          long used = left && isFinite ? entry.used.getOrDefault(resource, 0L) : 0;
          resources.put(resource, quantity(resource, units - used));
        });
    for (Taint taint : entry.facts.taints()) {
      if (taint.hard()) {
        resources.put(TAINT + taint, Quantity.NEGATIVE_INFINITY);
      }
    }
    if (entry.facts.unschedulable()) {
      resources.put(UNSCHEDULABLE, Quantity.NEGATIVE_INFINITY);
    }
    return Resources.of(resources);
  }

  private static Node node(NodeEntry entry) {
    List<Workload> held = new ArrayList<>();
    for (PodEntry pod : entry.pods) {
      held.add(workload(pod, entry));
    }
    return node(entry, held, Map.of());
  }

  /** A known node as a value, holding the given workloads, with more resources. */
  public static Node node(NodeEntry entry, List<Workload> held, Map<String, Quantity> more) {
    Resources left = resources(entry, true);
    for (Map.Entry<String, Quantity> one : more.entrySet()) {
      left = left.with(one.getKey(), one.getValue());
    }
    return new Node(entry.facts.name(), left, held, false, domains(entry.facts), Map.of());
  }

  /** Labels, and a level for each taint that only repels. */
  private static Map<String, String> domains(NodeFacts facts) {
    Map<String, String> domains = LabelLevels.domains(facts.labels());
    for (Taint taint : facts.taints()) {
      if (taint.soft()) {
        domains.put(softLevel(taint), TAINTED);
      }
    }
    return domains;
  }

  public static String softLevel(Taint taint) {
    return TAINT + taint;
  }

  /** The wards and overcommitted resources that do not matter to a newcomer. */
  public Set<String> immunities(PodFacts facts) {
    if (hardTaints().isEmpty() && !anyUnschedulable() && overcommitted().isEmpty()) {
      return Set.of();
    }
    Set<String> immunities = new TreeSet<>();
    for (Taint taint : hardTaints()) {
      if (facts.tolerates(taint)) {
        immunities.add(TAINT + taint);
      }
    }
    if (anyUnschedulable() && facts.tolerates(Taint.UNSCHEDULABLE)) {
      immunities.add(UNSCHEDULABLE);
    }
    for (String resource : overcommitted()) {
      if (!resource.equals(NodeFacts.PODS) && !facts.request.containsKey(resource)) {
        immunities.add(resource);
      }
    }
    return Collections.unmodifiableSet(immunities);
  }
}
