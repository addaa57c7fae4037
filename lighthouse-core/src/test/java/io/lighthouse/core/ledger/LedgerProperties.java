package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.oracle.NaiveFleet;
import io.lighthouse.core.oracle.ProblemMaker;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Laws of the accounts, held against maps of {@link BigDecimal} that share no code with core. */
class LedgerProperties {

  /** Conservation at every moment, exact release, roll back of everything. */
  @Property(shrinking = ShrinkingMode.OFF)
  void everyAccountIsAtEveryMomentItsCapacityLessWhatIsPlacedThere(@ForAll long seed) {
    ProblemMaker maker = new ProblemMaker(seed);
    Ledger ledger = new Ledger();
    NaiveFleet naive = new NaiveFleet();
    for (int i = 0; i < 1 + maker.nodes % 25; i++) {
      Node node = maker.node();
      ledger.nodeChanges().add(List.of(node));
      naive.add(node);
    }
    for (int step = 0; step < 25; step++) {
      switch (maker.random.nextInt(8)) {
        case 0 -> {
          Node node = maker.node();
          ledger.nodeChanges().add(List.of(node));
          naive.add(node);
        }
        case 1 -> {
          int node = maker.random.nextInt(naive.size());
          if (naive.size() > 1 && naive.workloads(node).isEmpty()) {
            ledger.nodeChanges().remove(ledger.nodes().slot(node));
            naive.remove(node);
          }
        }
        case 2 -> {
          int node = maker.random.nextInt(naive.size());
          Set<String> inUse = new HashSet<>();
          naive.workloads(node).forEach(w -> inUse.addAll(w.requirements().names()));
          Resources capacity = maker.capacity(naive.capacities(node), inUse);
          ledger.nodeChanges().resize(ledger.nodes().slot(node), capacity);
          naive.resize(node, capacity);
        }
        case 3 -> {
          for (String name : naive.placedNames()) {
            if (maker.chance(3)) {
              ledger.release(new int[] {ledger.placements().entryOf(name)});
              naive.release(name);
            }
          }
        }
        default -> batch(maker, ledger, naive);
      }
      ledger.commit();
      agree(ledger, naive);
    }
    for (String name : naive.placedNames()) {
      ledger.release(new int[] {ledger.placements().entryOf(name)});
    }
    for (int node = 0; node < ledger.nodes().nodeCount(); node++) {
      assertThat(ledger.accounts().lefts(ledger.nodes().slot(node)))
          .isEqualTo(naive.capacities(node));
    }
  }

  /**
   * Places by requirement of names alone, also below zero: the ledger accounts, it does not judge.
   */
  private void batch(ProblemMaker maker, Ledger ledger, NaiveFleet naive) {
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < 1 + maker.random.nextInt(12); i++) {
      workloads.add(maker.workload());
    }
    NodeBooks before = new NodeBooks(ledger);
    int savepoint = ledger.savepoint();
    Batch batch = Batch.open(ledger, workloads);
    Demand demand;
    List<Runnable> onNaive = new ArrayList<>();
    for (int i = 0; i < workloads.size(); i++) {
      Workload workload = workloads.get(i);
      int node = maker.random.nextInt(naive.size());
      demand = batch.demand(i);
      if (demand.areAllIn(ledger.accounts().layout(ledger.nodes().slot(node)))) {
        ledger.putBack(batch.entry(i), ledger.nodes().slot(node), demand);
        onNaive.add(() -> naive.place(workload, node));
      }
    }
    if (maker.chance(3)) {
      ledger.rollBack(savepoint);
      onNaive.clear();
      assertThat(new NodeBooks(ledger)).isEqualTo(before);
    }
    batch.close();
    ledger.commit();
    onNaive.forEach(Runnable::run);
  }

  private static void agree(Ledger ledger, NaiveFleet naive) {
    assertThat(naive.conserves()).isTrue();
    assertThat(ledger.nodes().nodeCount()).isEqualTo(naive.size());
    assertThat(ledger.lastPlaced() < 0 ? -1 : ledger.nodes().index(ledger.lastPlaced()))
        .isEqualTo(naive.lastPlaced());
    assertThat(ledger.placements().placedCount()).isEqualTo(naive.placedNames().size());
    for (int node = 0; node < naive.size(); node++) {
      int slot = ledger.nodes().slot(node);
      assertThat(ledger.state(slot).left()).isEqualTo(naive.lefts(node));
      assertThat(ledger.state(slot).capacity()).isEqualTo(naive.capacities(node));
      assertThat(ledger.state(slot).workloads()).isEqualTo(naive.workloads(node));
      assertThat(ledger.placements().count(slot)).isEqualTo(naive.workloads(node).size());
      long negatives = naive.left(node).values().stream().filter(a -> a.sign() < 0).count();
      assertThat((long) ledger.accounts().negatives(slot)).isEqualTo(negatives);
    }
  }

  /** Places, takes, moves, marks and goes back, in any nesting. */
  @Property(shrinking = ShrinkingMode.OFF)
  void goingBackRestoresEverythingDownToTheOrderOnANode(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Ledger ledger = new Ledger();
    int nodes = 1 + random.nextInt(4);
    for (int i = 0; i < nodes; i++) {
      Resources resources = i == 0 ? Resources.of("cpu", "inf") : Resources.of("cpu", i);
      List<Workload> brought =
          List.of(Workload.of("brought-" + i, Resources.of("cpu", 1)).withAversionGroups("g0"));
      ledger.nodeChanges().add(List.of(new Node("n" + i, resources, brought, false)));
    }
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      workloads.add(
          Workload.of("w" + i, Resources.of("cpu", i % 3 - 1)).withAversionGroups("g" + i % 3));
    }
    ledger.commit();
    Batch batch = Batch.open(ledger, workloads);
    Demand demand;
    List<Integer> marks = new ArrayList<>(List.of(ledger.savepoint()));
    List<NodeBooks> books = new ArrayList<>(List.of(new NodeBooks(ledger)));
    List<String> averse = new ArrayList<>(List.of(holders(ledger, nodes)));
    for (int step = 0; step < 60; step++) {
      int one = random.nextInt(8);
      demand = batch.demand(one);
      switch (random.nextInt(6)) {
        case 0 -> {
          marks.add(ledger.savepoint());
          books.add(new NodeBooks(ledger));
          averse.add(holders(ledger, nodes));
        }
        case 1 -> {
          int to = random.nextInt(marks.size());
          ledger.rollBack(marks.get(to));
          assertThat(new NodeBooks(ledger)).isEqualTo(books.get(to));
          assertThat(holders(ledger, nodes)).isEqualTo(averse.get(to));
          marks.subList(to + 1, marks.size()).clear();
          books.subList(to + 1, books.size()).clear();
          averse.subList(to + 1, averse.size()).clear();
        }
        default -> {
          if (ledger.placements().nodeOf(batch.entry(one)) >= 0) {
            ledger.remove(batch.entry(one), demand);
            demand = batch.demand(one);
          }
          if (random.nextInt(4) > 0) {
            ledger.putBack(batch.entry(one), random.nextInt(nodes), demand);
          }
        }
      }
    }
    ledger.rollBack(0);
    assertThat(new NodeBooks(ledger)).isEqualTo(books.get(0));
    ledger.commit();
    batch.close();
    workloads.forEach(w -> assertThat(ledger.placements().placedNode(w.name())).isNegative());
  }

  private static String holders(Ledger ledger, int nodes) {
    StringBuilder text = new StringBuilder();
    for (int group = 0; group < 3; group++) {
      for (int node = 0; node < nodes; node++) {
        NodeSet holders = LedgerExamples.holders(ledger, "g" + group);
        text.append(holders != null && holders.has(node) ? '1' : '0');
      }
    }
    return text.toString();
  }

  // ---- the range ----

  /**
   * Whatever has been there before, a batch, a node or a resize is let in if and only if what is
   * there then stays in range; and what is refused changes nothing.
   */
  @Property(shrinking = ShrinkingMode.OFF)
  void whatIsLetInDependsOnWhatIsThereAndNotOnWhatWasThereBefore(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Ledger ledger = new Ledger();
    Map<String, Node> nodes = new LinkedHashMap<>();
    Map<String, Workload> placed = new LinkedHashMap<>();
    for (int step = 0; step < 30; step++) {
      NodeBooks before = new NodeBooks(ledger);
      boolean allowed = true;
      boolean letIn = true;
      String name = "x" + step;
      try {
        switch (random.nextInt(5)) {
          case 0 -> {
            Node node = Node.of(name, extremes(random, true));
            allowed = NaiveFleet.inRange(with(nodes, node).values(), List.copyOf(placed.values()));
            ledger.nodeChanges().add(List.of(node));
            nodes.put(name, node);
          }
          case 1 -> {
            if (ledger.nodes().nodeCount() > 0) {
              int node = ledger.nodes().slot(random.nextInt(ledger.nodes().nodeCount()));
              for (Workload gone : ledger.release(ledger.placements().entries(node))) {
                placed.remove(gone.name());
              }
              nodes.remove(ledger.nodes().nodeName(node));
              ledger.nodeChanges().remove(node);
            }
          }
          case 2 -> {
            if (ledger.nodes().nodeCount() > 0) {
              int node = ledger.nodes().slot(random.nextInt(ledger.nodes().nodeCount()));
              Resources capacity = extremes(random, true);
              Node resized = Node.of(ledger.nodes().nodeName(node), capacity);
              allowed =
                  NaiveFleet.inRange(with(nodes, resized).values(), List.copyOf(placed.values()));
              ledger.nodeChanges().resize(node, capacity);
              nodes.put(resized.name(), resized);
            }
          }
          default -> {
            List<Workload> workloads =
                List.of(
                    Workload.of(name, extremes(random, false)),
                    Workload.of(name + "'", extremes(random, false)));
            List<Workload> all = new ArrayList<>(placed.values());
            all.addAll(workloads);
            allowed = NaiveFleet.inRange(nodes.values(), all);
            Batch batch = Batch.open(ledger, workloads);
            Demand demand;
            for (int i = 0; i < 2 && ledger.nodes().nodeCount() > 0; i++) {
              int node = ledger.nodes().slot(random.nextInt(ledger.nodes().nodeCount()));
              demand = batch.demand(i);
              if (demand.areAllIn(ledger.accounts().layout(node))) {
                ledger.putBack(batch.entry(i), node, demand);
                placed.put(workloads.get(i).name(), workloads.get(i));
              }
            }
            batch.close();
          }
        }
        ledger.commit();
      } catch (InvalidInputException refused) {
        letIn = false;
        assertThat(new NodeBooks(ledger)).isEqualTo(before);
      }
      assertThat(letIn).as("step %d with %s and %s", step, nodes, placed).isEqualTo(allowed);
    }
  }

  private static Map<String, Node> with(Map<String, Node> nodes, Node node) {
    Map<String, Node> all = new LinkedHashMap<>(nodes);
    all.put(node.name(), node);
    return all;
  }

  /** Both resources always, so that any node may be resized whatever it holds. */
  private static Resources extremes(SplittableRandom random, boolean ofNode) {
    return Resources.of("a", extreme(random, ofNode), "b", extreme(random, ofNode));
  }

  private static Quantity extreme(SplittableRandom random, boolean ofNode) {
    if (ofNode && random.nextInt(6) == 0) {
      return random.nextBoolean() ? Quantity.INFINITY : Quantity.NEGATIVE_INFINITY;
    }
    int digits = random.nextInt(4) == 0 ? random.nextInt(12) : 0;
    BigDecimal limit = new BigDecimal(BigInteger.ONE.shiftLeft(62), Math.min(9, digits));
    BigDecimal unit = BigDecimal.ONE.movePointLeft(digits);
    BigDecimal magnitude =
        switch (random.nextInt(6)) {
          case 0 -> limit.subtract(unit.multiply(BigDecimal.valueOf(random.nextInt(4))));
          case 1 -> limit.divide(BigDecimal.valueOf(2));
          case 2 -> limit.divide(BigDecimal.valueOf(16)).add(unit);
          default -> unit.multiply(BigDecimal.valueOf(random.nextInt(5)));
        };
    return Quantity.of(random.nextInt(3) == 0 ? magnitude.negate() : magnitude);
  }
}
