package io.lighthouse.tests.generate;

import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.tests.generate.Sketch.Step;
import io.lighthouse.tests.referee.Books;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Fills in the details of changes that are carried out one after the other. The books of the
 * referee follow, and report what fits in the state that the steps before leave.
 */
final class Steps {
  private final Books books;

  /** Whether each change must be possible; else it only names what is there. */
  private final boolean sound;

  private Steps(Snapshot now, boolean sound) {
    books = Books.of(now);
    this.sound = sound;
  }

  /** Changes that can be carried out one after the other; impossible steps are left out. */
  static List<Change> sound(Snapshot now, List<Step> steps, int serial) {
    Steps filled = new Steps(now, true);
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      Optional<Change> change = filled.fill(steps.get(i), serial + "." + i);
      change.ifPresent(filled.books::carryOut);
      change.ifPresent(changes::add);
    }
    return changes;
  }

  /** A change that may be impossible. */
  static Optional<Change> any(Snapshot now, Step step, int serial) {
    return new Steps(now, false).fill(step, serial + "." + 0);
  }

  /** The element of an index, modulo the size; empty where the list is. */
  static <T> Optional<T> at(List<T> all, int index) {
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(index % all.size()));
  }

  private Optional<Change> fill(Step step, String suffix) {
    Optional<String> node = at(books.nodes(), step.node());
    Optional<Workload> placed = at(books.placed(), step.other());
    Optional<Domain> domain = at(books.domains(), step.node());
    Map<Class<?>, Supplier<Optional<Change>>> kinds = new HashMap<>();
    kinds.put(
        Change.AddNode.class, () -> Optional.of(new Change.AddNode(added(step.added(), suffix))));
    kinds.put(
        Change.RemoveNode.class, () -> at(removable(), step.node()).map(Change.RemoveNode::new));
    kinds.put(Change.Resize.class, () -> node.map(one -> resized(one, step)));
    kinds.put(Change.Cordon.class, () -> node.map(Change.Cordon::new));
    kinds.put(Change.Uncordon.class, () -> node.map(Change.Uncordon::new));
    kinds.put(Change.Release.class, () -> placed.map(one -> new Change.Release(one.name())));
    kinds.put(Change.Move.class, () -> placed.flatMap(one -> moved(one, step.node())));
    kinds.put(
        Change.Assign.class,
        () -> sent(step.workload().named(step.workload().name() + suffix), step.node()));
    kinds.put(
        Change.Declare.class,
        () -> Optional.of(step.domain()).filter(this::isNew).map(Change.Declare::new));
    kinds.put(
        Change.Undeclare.class,
        () ->
            domain
                .filter(this::isRemovable)
                .map(one -> new Change.Undeclare(one.level(), one.name())));
    kinds.put(Change.ResizeDomain.class, () -> domain.map(one -> resized(one, step)));
    kinds.put(
        Change.CordonDomain.class,
        () -> domain.map(one -> new Change.CordonDomain(one.level(), one.name(), !one.cordoned())));
    kinds.put(
        Change.Regroup.class,
        () -> placed.map(one -> new Change.Regroup(one.name(), step.workload().terms().groups())));
    return kinds.get(step.kind()).get();
  }

  private static Node added(Node node, String suffix) {
    List<Workload> brought = new ArrayList<>();
    for (Workload workload : node.workloads()) {
      brought.add(workload.named(workload.name() + suffix));
    }
    return new Node(
        node.name() + suffix,
        node.resources(),
        brought,
        node.cordoned(),
        node.domains(),
        node.units());
  }

  private List<String> removable() {
    return books.nodes().stream().filter(node -> !sound || books.placedOn(node).isEmpty()).toList();
  }

  private boolean isNew(Domain domain) {
    return !sound
        || books.domains().stream()
            .noneMatch(
                other ->
                    other.level().equals(domain.level()) && other.name().equals(domain.name()));
  }

  private boolean isRemovable(Domain domain) {
    return !sound || inUse(domain).isEmpty();
  }

  private List<Resources> inUse(Domain domain) {
    return books.placed().stream()
        .map(workload -> workload.terms().shared().get(domain.level()))
        .filter(shared -> shared != null)
        .toList();
  }

  /** The capacity drawn; now and then the one that is there, which makes the resize no change. */
  private static Resources drawn(Step step, Resources drawn, Resources there) {
    return step.other() % 4 == 3 ? there : drawn;
  }

  private Change resized(String node, Step step) {
    List<Resources> inUse = books.placedOn(node).stream().map(Workload::requirements).toList();
    Resources before = books.capacityOf(node);
    Resources capacity = drawn(step, step.added().resources(), before);
    return new Change.Resize(node, withAll(capacity, inUse, before));
  }

  private Change resized(Domain domain, Step step) {
    Resources before = domain.resources();
    Resources capacity = drawn(step, step.domain().resources(), before);
    return new Change.ResizeDomain(
        domain.level(), domain.name(), withAll(capacity, inUse(domain), before));
  }

  /** A capacity with every name that is in use: what was there before, where it is not given. */
  private Resources withAll(Resources capacity, List<Resources> inUse, Resources before) {
    Map<String, Quantity> all = new LinkedHashMap<>(capacity.asMap());
    for (Resources required : sound ? inUse : List.<Resources>of()) {
      for (String name : required.names()) {
        all.putIfAbsent(name, before.get(name).orElse(Quantity.ZERO));
      }
    }
    return Resources.of(all);
  }

  private Optional<Change> sent(Workload workload, int index) {
    return at(targets(workload), index).map(node -> new Change.Assign(workload, node));
  }

  /** The nodes that a workload may be sent to. */
  private List<String> targets(Workload workload) {
    return sound ? books.fitting(workload) : books.nodes();
  }

  /** A move to another node, one that the workload fits once it is away. */
  private Optional<Change> moved(Workload workload, int index) {
    String from = books.nodeOf(workload.name()).orElseThrow();
    List<String> others = targets(workload).stream().filter(to -> !to.equals(from)).toList();
    return at(others, index).map(to -> new Change.Move(workload.name(), from, to));
  }
}
