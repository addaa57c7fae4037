package io.lighthouse.core.question;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.core.budget.StepBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Lists of nodes to add, each tried out on the fleet with its strategy, and only once. A list is a
 * number of nodes by kind.
 */
final class TriedLists {
  private final Distributor fleet;
  private final List<Workload> batch;
  private final List<Offer> offers;
  private final StepBudget budget;
  private final Set<String> nodeNames = new HashSet<>();
  private final List<String> openNodes = new ArrayList<>();

  /** What each list has left unplaced. */
  private final Map<List<Integer>, Set<String>> tried = new LinkedHashMap<>();

  /** By shape: whether it fits a node that is there. */
  private final Map<Workload, Boolean> fitsNow = new HashMap<>();

  TriedLists(Distributor fleet, List<Workload> batch, List<Offer> offers, StepBudget budget) {
    this.fleet = fleet;
    this.batch = batch;
    this.offers = offers;
    this.budget = budget;
    for (NodeState node : fleet.snapshot().nodes()) {
      nodeNames.add(node.name());
      if (!node.cordoned()) {
        openNodes.add(node.name());
      }
    }
  }

  /**
   * Whether the budget allows {@link #fitsNow}, which reads nodes as rows of bits, 64 at a time.
   */
  boolean mayFitNow(Workload workload) {
    boolean known = fitsNow.containsKey(workload.named("shape"));
    return budget.mayRead(known ? 1 : 1 + nodeNames.size() / Long.SIZE);
  }

  /** Whether a workload fits a node that is there. */
  boolean fitsNow(Workload workload) {
    return fitsNow.computeIfAbsent(
        workload.named("shape"), shape -> !fleet.fitting(shape).isEmpty());
  }

  /** The nodes of a list, kind by kind. */
  private List<Node> nodes(int[] counts) {
    List<Node> nodes = new ArrayList<>();
    for (int kind = 0; kind < counts.length; kind++) {
      nodes.addAll(SupposedFleet.copies(offers.get(kind).like(), counts[kind], nodeNames));
    }
    return nodes;
  }

  private <T> T tryOut(List<Node> added, Function<? super Distributor, T> question) {
    return fleet.tryOut(added.stream().<Change>map(Change.AddNode::new).toList(), question);
  }

  /** The workloads that have no node with a list, in the order of the batch. */
  Set<String> unplaced(int[] counts) {
    List<Integer> key = Arrays.stream(counts).boxed().toList();
    Set<String> known = tried.get(key);
    if (known == null) {
      budget.spend(batch.size() + Arrays.stream(counts).asLongStream().sum());
      Assignments answer = tryOut(nodes(counts), with -> with.assign(batch));
      known = new LinkedHashSet<>(answer.refused());
      tried.put(key, known);
    }
    return known;
  }

  /**
   * Of the lists that were tried, the one that leaves the fewest workloads; the first of equals.
   */
  int[] leavingFewest() {
    Comparator<Set<String>> bySize = Comparator.comparingInt(Set::size);
    return Collections.min(tried.entrySet(), Map.Entry.comparingByValue(bySize)).getKey().stream()
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * By name of a workload, the kinds that it fits when they are empty. Equal workloads are checked
   * once, unless a rule of a plug-in may go by their names.
   */
  Map<String, BitSet> kinds() {
    Map<String, BitSet> kinds = new HashMap<>();
    Map<Workload, BitSet> shapes = new HashMap<>();
    for (Workload workload : batch) {
      boolean mayGoByName =
          Stream.concat(fleet.rules().stream(), workload.terms().rules().stream())
              .anyMatch(Rule.Named.class::isInstance);
      Workload shape = mayGoByName ? workload : workload.named("shape");
      kinds.put(workload.name(), shapes.computeIfAbsent(shape, any -> new BitSet()));
    }
    for (int kind = 0; kind < offers.size() && !budget.isOver(); kind++) {
      int[] one = new int[offers.size()];
      one[kind] = 1;
      List<Node> added = nodes(one);
      String name = added.get(0).name();
      int number = kind;
      budget.spend(shapes.size());
      tryOut(
          added,
          with -> {
            shapes.forEach((shape, fits) -> fits.set(number, with.fitting(shape).contains(name)));
            return null;
          });
    }
    return kinds;
  }

  /** Whether every placement of the batch with a list was tried, and none is possible. */
  boolean isImpossible(int[] counts) {
    List<String> nodes = new ArrayList<>(openNodes);
    List<Integer> ofKind = new ArrayList<>();
    openNodes.forEach(node -> ofKind.add(-1));
    List<Node> added = nodes(counts);
    added.forEach(node -> nodes.add(node.name()));
    for (int kind = 0; kind < counts.length; kind++) {
      ofKind.addAll(Collections.nCopies(counts[kind], kind));
    }
    int[] kindOf = ofKind.stream().mapToInt(Integer::intValue).toArray();
    return tryOut(added, with -> EveryPlacement.isImpossible(with, batch, nodes, kindOf, budget));
  }
}
