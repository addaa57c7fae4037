package io.lighthouse.core.question;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Gang;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A fleet on which suppositions are carried out, and the workloads that have no node there. For one
 * use, in one thread.
 */
final class SupposedFleet implements Supposition.Cases<Void> {
  private final Distributor fleet;

  /** The node of a workload, if it is placed. A snapshot would copy the fleet. */
  private final Function<String, Optional<String>> nodeOf;

  /** What was refused or is new, by name, in the order in which it is placed. */
  private final Map<String, Workload> waiting = new LinkedHashMap<>();

  /** What lost its node, by name. */
  private final Map<String, Workload> displaced = new LinkedHashMap<>();

  /** The names of the gangs of the batch, and those that other gangs got. */
  private final Set<String> gangNames = new HashSet<>();

  /** By name that a gang got: the name that it was given. */
  private final Map<String, String> givenGangs = new HashMap<>();

  private final OwnGangs ofDisplaced = new OwnGangs();
  private final OwnGangs ofReplicas = new OwnGangs();

  SupposedFleet(
      Distributor fleet, Function<String, Optional<String>> nodeOf, List<Workload> batch) {
    this.fleet = fleet;
    this.nodeOf = nodeOf;
    for (Workload workload : batch) {
      waiting.put(workload.name(), workload);
      workload.terms().gang().ifPresent(gang -> gangNames.add(gang.name()));
    }
  }

  /** A workload has got a node. */
  void placed(String workload) {
    waiting.remove(workload);
    displaced.remove(workload);
  }

  /** What has no node, in the order in which it is placed: first what lost its node. */
  List<Workload> unplaced() {
    List<Workload> unplaced = new ArrayList<>();
    displaced.values().forEach(one -> unplaced.add(ofDisplaced.of(one)));
    unplaced.addAll(waiting.values());
    return unplaced;
  }

  /**
   * Gangs of workloads that were placed before the batch, or of copies of such workloads. None of
   * them is a gang of the batch, and one whose name is taken gets a free name. Workloads that share
   * an object of terms still share one afterwards, as a batch compares terms by identity.
   */
  private final class OwnGangs {
    private final Map<Gang, Gang> gangs = new HashMap<>();
    private final Map<Terms, Terms> renamed = new IdentityHashMap<>();

    Workload of(Workload one) {
      Optional<Gang> given = one.terms().gang();
      Optional<Gang> own = given.map(gang -> gangs.computeIfAbsent(gang, this::underFreeName));
      return own.equals(given)
          ? one
          : one.withTerms(
              renamed.computeIfAbsent(one.terms(), terms -> terms.inGang(own.orElseThrow())));
    }

    private Gang underFreeName(Gang given) {
      String name = given.name();
      while (!gangNames.add(name)) {
        name += "'";
      }
      givenGangs.put(name, given.name());
      return new Gang(name, given.within());
    }
  }

  /** A refusal of what has no node, with the name that its gang was given. */
  Refusal asGiven(Refusal refusal) {
    Optional<GangRefusal> gang =
        refusal
            .gang()
            .map(
                of ->
                    new GangRefusal(
                        givenGangs.getOrDefault(of.gang(), of.gang()),
                        of.members(),
                        of.placed(),
                        of.domain(),
                        of.tried()));
    return new Refusal(
        refusal.workload(), refusal.nodes(), refusal.counts(), refusal.nearest(), gang);
  }

  @Override
  public Void apply(Supposition.Apply supposition) {
    Change change = supposition.change();
    fleet.apply(List.of(change));
    if (change instanceof Change.Assign assign) {
      placed(assign.workload().name());
    } else if (change instanceof Change.AddNode add) {
      add.node().workloads().forEach(workload -> placed(workload.name()));
    }
    return null;
  }

  @Override
  public Void addNodes(Supposition.AddNodes supposition) {
    Set<String> taken = new HashSet<>();
    fleet.snapshot().nodes().forEach(node -> taken.add(node.name()));
    List<Node> added = copies(supposition.like(), supposition.count(), taken);
    fleet.apply(added.stream().<Change>map(Change.AddNode::new).toList());
    return null;
  }

  /** Empty nodes like one, named after it with the lowest numbers that give a free name. */
  static List<Node> copies(Node like, int count, Set<String> taken) {
    List<Node> copies = new ArrayList<>();
    for (int number = 1; copies.size() < count; number++) {
      String name = like.name() + "-" + number;
      if (!taken.contains(name)) {
        Node node =
            new Node(
                name, like.resources(), List.of(), like.cordoned(), like.domains(), like.units());
        copies.add(node);
      }
    }
    return copies;
  }

  @Override
  public Void removeNode(Supposition.RemoveNode supposition) {
    for (Workload workload : fleet.releaseNode(supposition.node())) {
      displaced.put(workload.name(), workload);
    }
    fleet.removeNode(supposition.node());
    return null;
  }

  @Override
  public Void resize(Supposition.Resize supposition) {
    Map<String, Quantity> amounts =
        new LinkedHashMap<>(fleet.node(supposition.node()).capacity().asMap());
    amounts.putAll(supposition.amounts().asMap());
    fleet.resize(supposition.node(), Resources.of(amounts));
    return null;
  }

  @Override
  public Void release(Supposition.Release supposition) {
    release(supposition.workload());
    return null;
  }

  private void release(String workload) {
    if (waiting.remove(workload) == null && displaced.remove(workload) == null) {
      try {
        fleet.release(workload);
      } catch (InvalidInputException unknown) {
        throw new InvalidInputException(
            "workload '" + workload + "'", "name", "unknown", "a workload, placed or waiting");
      }
    }
  }

  @Override
  public Void move(Supposition.Move supposition) {
    String workload = supposition.workload();
    String from = nodeOf.apply(workload).orElseThrow(() -> notPlaced(workload));
    fleet.apply(new Change.Move(workload, from, supposition.to()));
    return null;
  }

  private InvalidInputException notPlaced(String workload) {
    boolean waits = waiting.containsKey(workload) || displaced.containsKey(workload);
    return new InvalidInputException(
        "workload '" + workload + "'", "name", waits ? "waiting" : "unknown", "a placed workload");
  }

  @Override
  public Void scale(Supposition.Scale scale) {
    TreeMap<Integer, Workload> replicas = new TreeMap<>();
    for (NodeState node : fleet.snapshot().nodes()) {
      node.workloads().forEach(workload -> number(workload, scale, replicas));
    }
    displaced.values().forEach(workload -> number(workload, scale, replicas));
    waiting.values().forEach(workload -> number(workload, scale, replicas));
    if (replicas.isEmpty()) {
      throw new InvalidInputException(
          "workload '" + scale.workload() + "'",
          "replicas",
          "none, placed or waiting",
          "a name that has some, such as "
              + InvalidInputException.shortened(scale.workload() + "-1"));
    }
    Workload first = replicas.firstEntry().getValue();
    Workload like = waiting.containsKey(first.name()) ? first : ofReplicas.of(first);
    while (replicas.size() > scale.replicas()) {
      release(replicas.pollLastEntry().getValue().name());
    }
    for (int number = 1; replicas.size() < scale.replicas(); number++) {
      if (!replicas.containsKey(number)) {
        Workload more = like.named(scale.workload() + "-" + number);
        replicas.put(number, more);
        waiting.put(more.name(), more);
      }
    }
    return null;
  }

  private static void number(
      Workload workload, Supposition.Scale scale, Map<Integer, Workload> replicas) {
    String prefix = scale.workload() + "-";
    if (workload.name().startsWith(prefix)) {
      String digits = workload.name().substring(prefix.length());
      if (digits.matches("[1-9][0-9]{0,8}")) {
        replicas.put(Integer.valueOf(digits), workload);
      }
    }
  }
}
