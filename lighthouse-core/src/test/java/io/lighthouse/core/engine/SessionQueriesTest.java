package io.lighthouse.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.view.FleetView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The queries that a session binds for candidates go back to the pool, and few are made. */
class SessionQueriesTest {
  private static final int BATCH = 200;

  /** More queries at once than a session and its searches have. */
  private static final int POOLED = 6;

  private FleetView view;

  @Test
  void queriesOfCandidatesGoBackToThePool() {
    Distributor distributor =
        Distributors.of(new Asking()).nodes(List.of(node("a"), node("b"))).build();
    distributor.assign(Workload.of("first", Resources.of("cpu", 1)));
    Set<Query> before = pooled();
    assertThat(pooled()).as("the pool keeps them").isEqualTo(before);
    distributor.assign(Workload.of("w", Resources.of("cpu", 1, "heat", -1)).replicas(BATCH));
    assertThat(pooled()).as("no query is lost, and none is made").isEqualTo(before);
  }

  private static Node node(String name) {
    return Node.of(name, Resources.of("cpu", 2 * BATCH, "heat", 1));
  }

  /** Queries out of the pool, all bound at once. */
  private Set<Query> pooled() {
    int first = view.ledger().placements().entryOf("first");
    Demand demand = view.ledger().demand(first);
    Set<Query> queries = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < POOLED; i++) {
      queries.add(view.finder().bind(demand));
    }
    List<Query> open = new ArrayList<>(queries);
    open.forEach(Query::close);
    return queries;
  }

  /** Uses the candidates of two workloads by turns, and tries a release out meanwhile. */
  private final class Asking implements PlacementStrategy {
    @Override
    public String name() {
      return "asking";
    }

    @Override
    public boolean sequential() {
      return false;
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      view = (FleetView) fleet;
      return (BatchPlacer) Asking::place;
    }

    private static void place(Session session) {
      for (int i = 0; i + 1 < session.size(); i++) {
        Candidates own = session.candidates(i);
        Iterator<FleetNode> nodes = own.iterator();
        Candidates next = session.candidates(i + 1);
        assertThat(next.first()).isEqualTo(nodes.next());
        if (i > 0) {
          session.releasable(i - 1);
        }
        assertThat(nodes.next().name()).isEqualTo("b");
        assertThat(nodes.hasNext()).isFalse();
        assertThat(next.firstAfter(0).name()).isEqualTo("b");
        session.assign(i, own.first().index());
      }
      if (session.nodeOf(session.size() - 1) < 0) {
        session.assign(session.size() - 1, 0);
      }
    }
  }
}
