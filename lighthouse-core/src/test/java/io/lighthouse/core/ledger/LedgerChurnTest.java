package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names come and go without end; what is kept of them is bounded by what is there at one time. */
class LedgerChurnTest {
  /** A million; fewer where the same is run for hundreds of mutants. */
  private static final int TIMES = Integer.getInteger("lighthouse.churn", 1_000_000);

  private final Ledger ledger = new Ledger();
  private Demand demand;

  @Test
  void freshWorkloadsGroupsAndResourcesLeaveNothingBehind() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 1_000))));
    churnWorkloads(0, 1_000);
    long slots = slots(ledger);
    churnWorkloads(1_000, TIMES);
    assertThat(slots(ledger)).isEqualTo(slots);
    assertThat(ledger.resources().resourceIds()).isLessThanOrEqualTo(2);
    assertThat(ledger.placements().placedCount()).isZero();
  }

  /** Placed and released under a fresh name, in a fresh group, immune to a fresh resource. */
  private void churnWorkloads(int from, int to) {
    for (int i = from; i < to; i++) {
      Workload workload =
          new Workload(
              "w" + i,
              Resources.of("cpu", 1 + i % 7),
              Set.of("immunity-" + i),
              Set.of("group-" + i));
      Workload stranger = Workload.of("s" + i, Resources.of("nobody-has-" + i, 1));
      Batch batch = Batch.open(ledger, List.of(workload, stranger));
      demand = batch.demand(0);
      ledger.place(batch.entry(0), 0, demand);
      batch.close();
      ledger.commit();
      ledger.release(new int[] {ledger.placements().entryOf(workload.name())});
      ledger.commit();
    }
  }

  @Test
  void freshNodesWithFreshResourcesLeaveNothingBehind() {
    churnNodes(0, 1_000);
    long slots = slots(ledger);
    churnNodes(1_000, TIMES / 25);
    assertThat(slots(ledger)).isEqualTo(slots);
    assertThat(ledger.resources().resourceIds()).isLessThanOrEqualTo(3);
  }

  private void churnNodes(int from, int to) {
    for (int i = from; i < to; i++) {
      ledger.nodeChanges().add(List.of(Node.of("n" + i, Resources.of("cpu", i, "tag-" + i, 0))));
      int node = ledger.nodes().node("n" + i);
      ledger.nodeChanges().resize(node, Resources.of("cpu", i, "other-" + i, 1));
      ledger.nodeChanges().remove(node);
      ledger.commit();
    }
  }

  @Test
  void freshDomainsAndWhatIsSharedOfThemLeaveNothingBehind() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 1)).in("rack", "r")));
    ledger.commit();
    churnDomains(0, 1_000);
    long slots = slots(ledger);
    churnDomains(1_000, TIMES / 50);
    assertThat(slots(ledger)).isEqualTo(slots);
  }

  /** Declares and undeclares domains while a workload wants to share what no domain has. */
  private void churnDomains(int from, int to) {
    for (int i = from; i < to; i++) {
      ledger.domainChanges().declare(Domain.of("rack", "r" + i, Resources.of("power-" + i, 1)));
      Workload sharing =
          Workload.of("w" + i, Resources.none())
              .withTerms(Terms.NONE.sharing("rack", Resources.of("nobody-has-" + i, 1)));
      Batch.open(ledger, List.of(sharing)).close();
      ledger.commit();
      ledger.domainChanges().undeclare("rack", "r" + i);
      ledger.commit();
    }
  }

  @Test
  void freshLevelsLeaveNothingBehind() {
    Workload holder =
        Workload.of("holder", Resources.of("cpu", 1))
            .withTerms(Terms.NONE.inGroups("g").rules(new Rule.Most(1, "g", "rack")));
    churnLevels(0, 10);
    ledger
        .nodeChanges()
        .add(List.of(Node.of("n", Resources.of("cpu", 1)).in("rack", "r").withWorkloads(holder)));
    int round = Topology.MOST_UNUSED / 2 + 1; // After these, two levels each are forgotten.
    churnLevels(10, round);
    int levels = ledger.topology().levelCount();
    churnLevels(round, 10 * round);
    long slots = slots(ledger);
    churnLevels(10 * round, (10 + TIMES / 10_000) * round);
    assertThat(slots(ledger)).isEqualTo(slots);
    assertThat(ledger.topology().levelCount()).isEqualTo(levels);
  }

  /** Adds and removes a node, and declares and undeclares a domain, at levels of their own. */
  private void churnLevels(int from, int to) {
    for (int i = from; i < to; i++) {
      Node node = Node.of("n" + i, Resources.of("cpu", 1)).in("level-" + i, "r");
      ledger.nodeChanges().add(List.of(node));
      ledger.domainChanges().declare(Domain.of("other-" + i, "r", Resources.of("power", 1)));
      ledger.commit();
      ledger.nodeChanges().remove(ledger.nodes().node("n" + i));
      ledger.domainChanges().undeclare("other-" + i, "r");
      ledger.commit();
    }
  }

  @Test
  void batchesThatAreRefusedLeaveNothingBehind() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 1))));
    refuseBatches(0, 100);
    long slots = slots(ledger);
    refuseBatches(100, TIMES / 50);
    assertThat(slots(ledger)).isEqualTo(slots);
  }

  private void refuseBatches(int from, int to) {
    for (int i = from; i < to; i++) {
      Workload huge = Workload.of("w" + i, Resources.of("fresh-" + i, "1e19", "cpu", 1));
      try {
        Batch.open(ledger, List.of(Workload.of("v" + i, Resources.of("tag-" + i, 0)), huge));
        throw new AssertionError("was let in");
      } catch (io.lighthouse.api.error.InvalidInputException refused) {
        assertThat(ledger.placements().placedNode("w" + i)).isNegative();
        ledger.commit();
      }
    }
  }

  /** The lengths of all arrays and collections that a ledger holds, together. */
  private static long slots(Object root) {
    try {
      Map<Object, Boolean> seen = new IdentityHashMap<>();
      List<Object> open = new ArrayList<>(List.of(root));
      long slots = 0;
      while (!open.isEmpty()) {
        Object next = open.remove(open.size() - 1);
        if (next == null || seen.put(next, true) != null) {
          continue;
        }
        if (next.getClass().isArray()) {
          slots += Array.getLength(next);
          if (next instanceof Object[] array) {
            for (Object element : array) {
              open.add(element);
            }
          }
        } else if (next instanceof Collection<?> collection) {
          slots += collection.size();
          open.addAll(collection);
        } else if (next instanceof Map<?, ?> map) {
          slots += map.size();
          open.addAll(map.keySet());
        } else if (next.getClass().getPackageName().equals(Ledger.class.getPackageName())) {
          for (Class<?> type = next.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
              if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                field.setAccessible(true);
                open.add(field.get(next));
              }
            }
          }
        }
      }
      return slots;
    } catch (IllegalAccessException hidden) {
      throw new AssertionError(hidden);
    }
  }
}
