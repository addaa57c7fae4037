package io.lighthouse.core.search;

import io.lighthouse.api.Node;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.index.IndexPart;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.oracle.NaiveFleet;
import io.lighthouse.core.oracle.ProblemMaker;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The random life of one fleet, every question of it put to the index and to the oracle. */
final class IndexScript {
  /** What the lives so far have reached, by name; to see that nothing is tested on nothing. */
  final Map<String, Integer> reached = new TreeMap<>();

  private ProblemMaker maker;
  private Twin twin;
  private final List<Rubric> rubrics = new ArrayList<>();

  /** How the turns of this life ask: always the same question, or another one every time. */
  private int habit;

  void live(long seed) {
    live(seed, EnumSet.allOf(IndexPart.class));
  }

  /** A life whose index uses only some parts. */
  void live(long seed, Set<IndexPart> parts) {
    maker = new ProblemMaker(seed);
    twin = new Twin(0, parts);
    rubrics.clear();
    for (int i = maker.random.nextInt(3); i >= 0; i--) {
      rubrics.add(maker.rubric());
    }
    habit = maker.random.nextInt(5);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < maker.nodes; i++) {
      nodes.add(maker.node());
    }
    twin.add(nodes);
    int steps = maker.nodes > 1000 ? 3 : maker.nodes > 200 ? 6 : 12;
    for (int step = 0; step < steps; step++) {
      step();
    }
    twin.checkState();
    count("questions", twin.questions);
    count("answers", twin.found);
    count(maker.nodes > 4096 ? "huge fleets" : maker.nodes > 64 ? "large fleets" : "fleets", 1);
  }

  private void count(String what, int times) {
    reached.merge(what, times, Integer::sum);
  }

  private void step() {
    switch (maker.random.nextInt(16)) {
      case 14, 15 -> tryOut();
      case 0 -> twin.add(List.of(maker.node()));
      case 1 -> removeSome();
      case 2 -> resizeSome();
      case 3, 4 -> cordonSome();
      case 5, 6 -> releaseSome();
      case 7 -> copySome();
      default -> batch();
    }
  }

  /** Changes of every kind, some of which are tried out and taken back within, too. */
  private void tryOut() {
    twin.tryOut(
        () -> {
          for (int i = maker.random.nextInt(5); i >= 0; i--) {
            switch (maker.random.nextInt(7)) {
              case 0 -> twin.add(List.of(maker.node()));
              case 1 -> removeSome();
              case 2 -> resizeSome();
              case 3 -> cordonSome();
              case 4 -> releaseSome();
              case 5 -> {
                if (maker.chance(3)) {
                  tryOut();
                }
              }
              default -> batch();
            }
          }
          twin.checkState();
        });
    twin.checkState();
    count("tried out", 1);
  }

  private void removeSome() {
    for (int node = twin.naive.size() - 1; node >= 0; node--) {
      if (maker.chance(5) && twin.naive.workloads(node).isEmpty()) {
        twin.remove(node);
        count("removals", 1);
        return;
      }
    }
  }

  private void resizeSome() {
    if (twin.naive.size() > 0) {
      int node = maker.random.nextInt(twin.naive.size());
      Set<String> inUse = new HashSet<>();
      twin.naive.workloads(node).forEach(w -> inUse.addAll(w.requirements().names()));
      twin.resize(node, maker.capacity(twin.naive.capacities(node), inUse));
      count("resizes", 1);
    }
  }

  private void cordonSome() {
    for (int i = 0; i < 3 && twin.naive.size() > 0; i++) {
      twin.cordon(maker.random.nextInt(twin.naive.size()), maker.chance(2));
    }
  }

  private void releaseSome() {
    List<String> chosen = new ArrayList<>();
    for (String name : twin.naive.placedNames()) {
      if (maker.chance(4)) {
        chosen.add(name);
      }
    }
    twin.release(chosen);
    count("releases", chosen.size());
  }

  /** Goes on with the copy, or lets the copy go on and finds the first as it was. */
  private void copySome() {
    Twin first = twin;
    twin = first.copy();
    if (maker.chance(2)) {
      batch();
      twin.checkState();
      twin = first;
      first.checkState();
    }
    count("copies", 1);
  }

  private void batch() {
    List<Workload> workloads = new ArrayList<>();
    int size = 1 + maker.random.nextInt(maker.chance(4) ? 60 : 12);
    for (int i = 0; i < size; i++) {
      workloads.add(maker.chance(3) ? maker.plain() : maker.workload());
    }
    int begun = twin.ledger.savepoint();
    Batch batch = Batch.open(twin.ledger, workloads);
    if (!maker.chance(4)) {
      twin.finder.expect(batch);
    }
    NaiveFleet before = twin.naive.copy();
    NaiveFleet marked = null;
    int mark = 0;
    Demand demand;
    for (int i = 0; i < size; i++) {
      Workload workload = workloads.get(i);
      demand = batch.demand(i);
      reach(demand);
      int found = ask(workload, demand);
      if (found != NodeTable.NONE && !maker.chance(10)) {
        twin.ledger.place(batch.entry(i), twin.slot(found), demand);
        twin.naive.place(workload, found);
      }
      if (maker.chance(12)) {
        takeOne(batch, maker.random.nextInt(i + 1), demand);
      }
      if (maker.chance(10)) {
        mark = twin.ledger.savepoint();
        marked = twin.naive.copy();
      } else if (marked != null && maker.chance(6)) {
        twin.ledger.rollBack(mark);
        twin.naive = marked.copy();
        count("roll backs", 1);
      }
    }
    if (maker.chance(5)) {
      twin.ledger.rollBack(begun);
      twin.naive = before;
    }
    batch.close();
    twin.commit();
  }

  private void takeOne(Batch batch, int index, Demand demand) {
    if (twin.ledger.placements().nodeOf(batch.entry(index)) >= 0) {
      demand = batch.demand(index);
      twin.ledger.remove(batch.entry(index), demand);
      twin.naive.release(batch.workload(index).name());
      demand = batch.demand(index);
      int found = ask(batch.workload(index), demand);
      if (found != NodeTable.NONE) {
        twin.ledger.putBack(batch.entry(index), twin.slot(found), demand);
        twin.naive.place(batch.workload(index), found);
        count("moves", 1);
      }
    }
  }

  private void reach(Demand demand) {
    count("giving", demand.hasNegativeNeed() ? 1 : 0);
    count("immune", demand.immunityCount() > 0 ? 1 : 0);
    count("holders", demand.antiAffinityHolders().isEmpty() ? 0 : 1);
    demand
        .antiAffinityHolders()
        .forEach(set -> count("dense holders", set.free(1) != null ? 1 : 0));
  }

  private int ask(Workload workload, Demand demand) {
    int nodes = twin.naive.size();
    int found = once(workload, demand, habit);
    if (maker.chance(3)) {
      once(workload, demand, maker.random.nextInt(5));
    }
    if (maker.chance(nodes > 200 ? 60 : 8)) {
      twin.all(workload, demand, maker.chance(2));
    }
    if (maker.chance(6)) {
      twin.next(workload, demand, maker.random.nextInt(nodes + 1), maker.chance(2));
    }
    return found;
  }

  private int once(Workload workload, Demand demand, int question) {
    Rubric rubric = rubrics.get(maker.random.nextInt(rubrics.size()));
    return switch (question) {
      case 0 -> twin.first(workload, demand, 0);
      case 1 -> twin.first(workload, demand, twin.naive.lastPlaced() + 1);
      case 2 -> twin.first(workload, demand, rubrics.get(0), false);
      case 3 -> twin.first(workload, demand, rubric, maker.chance(2));
      default -> twin.first(workload, demand, maker.random.nextInt(twin.naive.size() + 1));
    };
  }
}
