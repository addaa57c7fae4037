package io.lighthouse.core.answer;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.advice.WhatIf;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Answers what if, on a fleet that is tried out. What has no node waits, in this order: what lost
 * its node, what was refused, what is new. For one use, in one thread.
 */
public final class Supposing {
  private final Distributor fleet;

  /** What wants a node, by name, in the order in which it is placed. */
  private final Map<String, Workload> waiting = new LinkedHashMap<>();

  /** What lost its node, by name. */
  private final Map<String, Workload> displaced = new LinkedHashMap<>();

  private Supposing(Distributor fleet) {
    this.fleet = fleet;
  }

  /**
   * Answers.
   *
   * @param fleet the fleet, which the caller brings back to what it was
   * @param batch the workloads that wait
   * @param supposed what is supposed
   * @param placing whether the fleet goes on
   * @return what is and what would be
   */
  public static WhatIf answer(
      Distributor fleet, List<Workload> batch, List<Supposition> supposed, WhatIf.Placing placing) {
    boolean goingOn = placing == WhatIf.Placing.GOING_ON;
    Fates now =
        fleet.tryOut(
            List.of(),
            tried -> {
              tried.assign(batch);
              return Fates.of(tried.snapshot(), batch);
            });
    Supposing question = new Supposing(fleet);
    batch.forEach(workload -> question.waiting.put(workload.name(), workload));
    if (goingOn) {
      Assignments placed = fleet.assign(batch);
      placed.asMap().forEach((name, node) -> node.ifPresent(on -> question.waiting.remove(name)));
    }
    for (int i = 0; i < supposed.size(); i++) {
      Supposition step = supposed.get(i);
      try {
        question.suppose(step);
      } catch (InvalidInputException thrown) {
        boolean inside = thrown.getCause() instanceof InvalidInputException;
        InvalidInputException wrong = inside ? (InvalidInputException) thrown.getCause() : thrown;
        String place = "change " + (i + 1) + " of " + supposed.size() + " (" + step + "): ";
        throw new InvalidInputException(
            place + wrong.subject(), wrong.field(), wrong.found(), wrong.allowed());
      }
    }
    List<Workload> wanting = new ArrayList<>(question.displaced.values());
    wanting.addAll(question.waiting.values());
    List<Refusal> refusals = fleet.assign(wanting, AssignOption.EXPLAIN).refusals();
    Fates then = Fates.of(fleet.snapshot(), wanting);
    return new WhatIf(now.figures(), then.figures(), now.until(then), refusals);
  }

  private void suppose(Supposition step) {
    if (step instanceof Supposition.Apply apply) {
      fleet.apply(List.of(apply.change()));
    } else if (step instanceof Supposition.AddNodes add) {
      add(add);
    } else if (step instanceof Supposition.RemoveNode remove) {
      for (Workload workload : fleet.releaseNode(remove.node())) {
        displaced.put(workload.name(), workload);
      }
      fleet.removeNode(remove.node());
    } else if (step instanceof Supposition.Resize resize) {
      Resources capacity = fleet.node(resize.node()).capacity();
      fleet.resize(resize.node(), over(capacity, resize.amounts()));
    } else if (step instanceof Supposition.Release release) {
      release(release.workload());
    } else if (step instanceof Supposition.Move move) {
      String from =
          fleet.snapshot().nodeOf(move.workload()).orElseThrow(() -> unplaced(move.workload()));
      fleet.apply(new Change.Move(move.workload(), from, move.to()));
    } else if (step instanceof Supposition.Scale scale) {
      scale(scale);
    }
  }

  private void add(Supposition.AddNodes add) {
    Set<String> taken = new HashSet<>();
    fleet.snapshot().nodes().forEach(node -> taken.add(node.name()));
    fleet.apply(added(add.like(), add.count(), taken));
  }

  /** Empty nodes like one, named after it with the lowest numbers that give a free name. */
  static List<Change> added(Node like, int count, Set<String> taken) {
    List<Change> changes = new ArrayList<>();
    for (int number = 1; changes.size() < count; number++) {
      String name = like.name() + "-" + number;
      if (!taken.contains(name)) {
        Node node =
            new Node(
                name, like.resources(), List.of(), like.cordoned(), like.domains(), like.units());
        changes.add(new Change.AddNode(node));
      }
    }
    return changes;
  }

  private static Resources over(Resources all, Resources some) {
    Map<String, Quantity> amounts = new TreeMap<>(Names.order());
    for (int i = 0; i < all.size(); i++) {
      amounts.put(all.name(i), all.quantity(i));
    }
    for (int i = 0; i < some.size(); i++) {
      amounts.put(some.name(i), some.quantity(i));
    }
    return Resources.of(amounts);
  }

  private void release(String workload) {
    if (waiting.remove(workload) == null && displaced.remove(workload) == null) {
      if (fleet.snapshot().nodeOf(workload).isEmpty()) {
        throw new InvalidInputException(
            "workload '" + workload + "'", "name", "unknown", "a workload, placed or waiting");
      }
      fleet.release(workload);
    }
  }

  private InvalidInputException unplaced(String workload) {
    boolean waits = waiting.containsKey(workload) || displaced.containsKey(workload);
    return new InvalidInputException(
        "workload '" + workload + "'", "name", waits ? "waiting" : "unknown", "a placed workload");
  }

  private void scale(Supposition.Scale scale) {
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
          "a name that has some, such as " + scale.workload() + "-1");
    }
    Workload like = replicas.firstEntry().getValue();
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

  /**
   * Where every workload is at one moment.
   *
   * @param nodes by workload, its node, or nothing where it has none
   */
  private record Fates(WhatIf.Figures figures, Map<String, Optional<String>> nodes) {
    static Fates of(Snapshot snapshot, List<Workload> wanting) {
      Map<String, Optional<String>> nodes = new LinkedHashMap<>();
      int inUse = 0;
      for (NodeState node : snapshot.nodes()) {
        inUse += node.workloads().isEmpty() ? 0 : 1;
        node.workloads().forEach(held -> nodes.put(held.name(), Optional.of(node.name())));
      }
      int placed = nodes.size();
      wanting.forEach(workload -> nodes.putIfAbsent(workload.name(), Optional.empty()));
      return new Fates(
          new WhatIf.Figures(snapshot.nodes().size(), inUse, placed, nodes.size() - placed), nodes);
    }

    List<WhatIf.Fate> until(Fates then) {
      List<WhatIf.Fate> fates = new ArrayList<>();
      nodes.forEach(
          (name, before) -> {
            Optional<String> after = then.nodes.get(name);
            if (after == null) {
              fates.add(new WhatIf.Fate(name, WhatIf.Kind.GONE, before, Optional.empty()));
            } else if (!after.equals(before)) {
              fates.add(new WhatIf.Fate(name, kind(before, after), before, after));
            }
          });
      then.nodes.forEach(
          (name, after) -> {
            if (!nodes.containsKey(name)) {
              fates.add(new WhatIf.Fate(name, WhatIf.Kind.NEW, Optional.empty(), after));
            }
          });
      return fates;
    }

    private static WhatIf.Kind kind(Optional<String> before, Optional<String> after) {
      if (before.isEmpty()) {
        return WhatIf.Kind.PLACED;
      }
      return after.isEmpty() ? WhatIf.Kind.REFUSED : WhatIf.Kind.MOVED;
    }
  }
}
