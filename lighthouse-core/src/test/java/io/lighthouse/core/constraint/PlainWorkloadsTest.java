package io.lighthouse.core.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.search.Finder;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Which constraints a workload without terms concerns, in a plain fleet. Assertions in {@link
 * Query} check in every test that no other constraint could reject such a workload.
 */
class PlainWorkloadsTest {
  private final Ledger ledger = new Ledger();
  private Finder finder;

  @BeforeEach
  void aCordonedNode() {
    ledger.nodeChanges().add(List.of(new Node("n", Resources.of("cpu", 1), List.of(), true)));
    finder = new Finder(ledger, NamedRules.NONE);
  }

  private Demand demand() {
    Batch batch = Batch.open(ledger, List.of(Workload.of("w", Resources.of("cpu", 2))));
    try {
      return batch.demand(0);
    } finally {
      batch.close();
    }
  }

  private static Constraint[] constraints(Query query, String field) {
    try {
      Field of = Query.class.getDeclaredField(field);
      of.setAccessible(true);
      return (Constraint[]) of.get(query);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void areThoseThatSaySoInTheSameOrder() {
    try (Query query = finder.bind(demand())) {
      List<Constraint> concerned = new ArrayList<>();
      for (Constraint constraint : constraints(query, "hard")) {
        if (constraint.concernsPlain()) {
          concerned.add(constraint);
        }
      }
      assertThat(concerned)
          .hasExactlyElementsOfTypes(Cordons.class, NodeResources.class, Confinement.class);
      assertThat(constraints(query, "plain")).containsExactlyElementsOf(concerned);
    }
  }

  @Test
  void nothingElseRejectsAPlainWorkload() {
    Demand plain = demand();
    assertThat(plain.isFreeOfTerms()).isTrue();
    try (Query query = finder.bind(plain)) {
      for (Constraint constraint : constraints(query, "hard")) {
        assertThat(constraint.prepare(plain) && !constraint.concernsPlain())
            .as("%s rejects a plain workload", constraint.getClass().getSimpleName())
            .isFalse();
      }
    }
  }

  @Test
  void theirReasonsAreComplete() {
    List<Reason.Kind> kinds = new ArrayList<>();
    try (Query query = finder.bind(demand())) {
      query.reportBroken(0, (by, condition, kind, key, lacking, against) -> kinds.add(kind));
    }
    assertThat(kinds).containsExactly(Reason.Kind.CORDONED, Reason.Kind.SHORT);
  }

  @Test
  void goInARunOnlyWhereNoPlacementChangesAnAnswer() {
    try (Query query = finder.bind(demand())) {
      assertThat(query.isLimitedByResourcesOnly()).isTrue();
      Constraint[] active = constraints(query, "active");
      assertThat(active).startsWith(constraints(query, "plain")[0], query.resources);
      active[0] = new CountsWorkloads();
      assertThat(query.isLimitedByResourcesOnly()).isFalse();
    }
  }

  /** Stands for one that a placement can break, and overrides nothing more. */
  private static final class CountsWorkloads extends Constraint {
    @Override
    boolean prepare(Demand demand) {
      return true;
    }

    @Override
    boolean admits(int node) {
      return true;
    }

    @Override
    void reportBroken(int node, Broken broken) {}

    @Override
    public Reason reason(int node, int condition) {
      return new Reason.Cordoned();
    }
  }
}
