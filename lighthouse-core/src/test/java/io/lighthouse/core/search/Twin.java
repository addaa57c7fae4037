package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.index.IndexPart;
import io.lighthouse.core.index.Levels;
import io.lighthouse.core.ledger.Clock;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.oracle.NaiveFleet;
import io.lighthouse.core.order.ScoreOrder;
import java.lang.reflect.Field;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A ledger with an index, and a naive fleet: whatever happens to one happens to the other. */
public final class Twin {
  public final Ledger ledger;
  final Finder finder;
  NaiveFleet naive;

  /** Questions asked so far, and those to which some node was the answer. */
  int questions;

  int found;

  /** Whether what is done now is taken back later. */
  private boolean tried;

  /** The parts of the index that are used. */
  private final Set<IndexPart> parts;

  public Twin(int patience) {
    this(patience, EnumSet.allOf(IndexPart.class));
  }

  public Twin(int patience, Set<IndexPart> parts) {
    this.parts = parts;
    ledger = new Ledger();
    finder = new Finder(ledger, patience, NamedRules.NONE, parts);
    naive = new NaiveFleet();
  }

  private Twin(Twin other) {
    ledger = other.ledger.copy();
    parts = other.parts;
    finder = new Finder(ledger, 0, NamedRules.NONE, parts);
    naive = other.naive.copy();
  }

  Twin copy() {
    return new Twin(this);
  }

  /** The levels that a finder goes by now; null before it has an index. */
  static Levels levels(Finder finder) {
    NodeIndex index = (NodeIndex) hidden(finder.keeper, NodeIndex.class);
    return index == null ? null : index.levels();
  }

  /** Keeps the lower bounds of the index beyond a change of nodes or domains. */
  void keepBounds() {
    Object index = hidden(finder.keeper, NodeIndex.class);
    if (index != null) {
      ((Clock.Stamp) hidden(index, Clock.Stamp.class)).renew();
    }
  }

  /** What the only field of a type holds. */
  private static Object hidden(Object of, Class<?> type) {
    try {
      for (Field field : of.getClass().getDeclaredFields()) {
        if (type.isAssignableFrom(field.getType())) {
          field.setAccessible(true);
          return field.get(of);
        }
      }
    } catch (IllegalAccessException hidden) {
      throw new AssertionError(hidden);
    }
    throw new AssertionError(of.getClass() + " has no " + type.getSimpleName());
  }

  /** Has the ledger tell a finder that is hard of hearing, in place of the finder itself. */
  void tellsInstead(Deaf deaf) {
    tellsInstead("listeners", deaf);
    tellsInstead("placementListeners", deaf);
  }

  @SuppressWarnings("unchecked")
  private void tellsInstead(String list, Deaf deaf) {
    try {
      Field of = Ledger.class.getDeclaredField(list);
      of.setAccessible(true);
      List<Object> told = (List<Object>) of.get(ledger);
      assertThat(told).contains(finder.keeper);
      told.replaceAll(one -> one == finder.keeper ? deaf : one);
    } catch (ReflectiveOperationException hidden) {
      throw new AssertionError(hidden);
    }
  }

  /**
   * The slot of a node that the oracle knows by its place in the order; one behind the last, too.
   */
  int slot(int index) {
    return index == naive.size() ? ledger.nodes().slotCount() : ledger.nodes().slot(index);
  }

  private int index(int slot) {
    if (slot != NodeTable.NONE && !ledger.nodes().alive(slot)) {
      throw new AssertionError("slot " + slot + " has no node");
    }
    return slot == NodeTable.NONE ? NaiveFleet.NONE : ledger.nodes().index(slot);
  }

  /** What has been done stands, unless all of it is going to be taken back. */
  void commit() {
    if (!tried) {
      ledger.commit();
    }
  }

  /** Does something, on both, and takes it back again. */
  void tryOut(Runnable work) {
    boolean before = tried;
    NaiveFleet kept = naive.copy();
    int savepoint = ledger.savepoint();
    tried = true;
    work.run();
    ledger.rollBack(savepoint);
    naive = kept;
    tried = before;
    commit();
  }

  public void add(List<Node> nodes) {
    ledger.nodeChanges().add(nodes);
    nodes.forEach(naive::add);
    commit();
  }

  void remove(int node) {
    ledger.nodeChanges().remove(slot(node));
    naive.remove(node);
    commit();
  }

  void resize(int node, Resources capacity) {
    ledger.nodeChanges().resize(slot(node), capacity);
    naive.resize(node, capacity);
    commit();
  }

  void cordon(int node, boolean closed) {
    ledger.nodeChanges().cordon(slot(node), closed);
    naive.cordon(node, closed);
    commit();
  }

  /** Places one workload in a batch of its own. */
  void place(Workload workload, int node) {
    Batch batch = Batch.open(ledger, List.of(workload));
    Demand demand;
    demand = batch.demand(0);
    ledger.place(batch.entry(0), slot(node), demand);
    naive.place(workload, node);
    batch.close();
    commit();
  }

  void release(List<String> workloads) {
    ledger.release(workloads.stream().mapToInt(ledger.placements()::entryOf).toArray());
    workloads.forEach(naive::release);
    commit();
  }

  /** What a finder finds for a demand, from a node on. */
  static int first(Finder finder, Demand demand, int from) {
    try (Query query = finder.bind(demand)) {
      return finder.first(query, from);
    }
  }

  /** What a finder finds for a demand in an order. */
  static int first(Finder finder, Demand demand, ScoreOrder order, boolean descending) {
    try (Query query = finder.bind(demand)) {
      return finder.first(query, order, descending);
    }
  }

  /** What a finder finds next for a demand. */
  static int next(Finder finder, Demand demand, int from, boolean friendly) {
    try (Query query = finder.bind(demand)) {
      return finder.next(query, from, friendly);
    }
  }

  int first(Workload workload, Demand demand, int from) {
    return same(
        first(finder, demand, slot(from)),
        naive.first(workload, from),
        workload,
        "first from " + from);
  }

  int first(Workload workload, Demand demand, Rubric rubric, boolean descending) {
    return same(
        first(finder, demand, finder.orderBy(rubric), descending),
        naive.first(workload, rubric, descending),
        workload,
        (descending ? "highest by " : "lowest by ") + rubric);
  }

  int next(Workload workload, Demand demand, int from, boolean friendly) {
    return same(
        next(finder, demand, slot(from), friendly),
        naive.next(workload, from, friendly),
        workload,
        (friendly ? "next friendly from " : "next from ") + from);
  }

  void all(Workload workload, Demand demand, boolean friendly) {
    int node = -1;
    do {
      node = next(workload, demand, node + 1, friendly);
    } while (node != NodeTable.NONE);
  }

  private int same(int slot, int oracle, Workload workload, String question) {
    int index = index(slot);
    questions++;
    found += oracle == NaiveFleet.NONE ? 0 : 1;
    if (index != oracle) {
      throw new AssertionError(
          question + ": the index says " + index + ", the oracle " + oracle + " for " + workload);
    }
    return oracle;
  }

  /** Whether the accounts are equal, node for node, and all that is derived from them is right. */
  void checkState() {
    Audit audit = new Audit();
    ledger.audit(audit);
    finder.audit(audit);
    assertThat(audit.findings()).isEmpty();
    assertThat(naive.conserves()).as("the oracle conserves").isTrue();
    assertThat(ledger.nodes().nodeCount()).isEqualTo(naive.size());
    assertThat(ledger.lastPlaced() < 0 ? -1 : ledger.nodes().index(ledger.lastPlaced()))
        .isEqualTo(naive.lastPlaced());
    for (int node = 0; node < naive.size(); node++) {
      int slot = slot(node);
      assertThat(ledger.nodes().nodeName(slot)).isEqualTo(naive.name(node));
      assertThat(ledger.nodes().node(naive.name(node))).isEqualTo(slot);
      assertThat(ledger.accounts().lefts(slot)).isEqualTo(naive.lefts(node));
      assertThat(ledger.accounts().capacities(slot)).isEqualTo(naive.capacities(node));
      assertThat(ledger.placements().workloads(slot)).isEqualTo(naive.workloads(node));
      assertThat(ledger.accounts().cordoned(slot)).isEqualTo(naive.cordoned(node));
    }
  }
}
