package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.constraint.Within;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several queries may be open at once. Each of them answers for its own demand only. */
class OpenQueriesTest {
  private static final int NODES = 150;

  private final Ledger ledger = new Ledger();

  private static Workload workload(Object... needs) {
    return Workload.of("w", Resources.of(needs));
  }

  /** Workloads that differ in everything that a query depends on. */
  private static List<Workload> workloads() {
    Workload plain = workload("cpu", 3);
    return List.of(
        plain,
        workload("cpu", 5, "rare", 1),
        workload("cpu", 1).withImmunities("ward"),
        workload("cpu", 1).withImmunities("rare-ward"),
        workload("cpu", 1).withImmunities("rare-ward", "ward"),
        workload("cpu", 2).withAversionGroups("a"),
        plain.withTerms(Terms.NONE.where(new Condition.In("rack", Set.of("r1", "r4")))),
        plain.withTerms(Terms.NONE.where(new Condition.In("rack", Set.of("r2")))),
        plain.withTerms(Terms.NONE.inGroups("web").rules(new Rule.Most(2, "web", "rack"))),
        plain.withTerms(Terms.NONE.inGroups("web").rules(new Rule.Skew(1, "web", "rack", 1))),
        plain.withTerms(Terms.NONE.rules(new Rule.Least(1, "web", "rack"))),
        plain.withTerms(Terms.NONE.preferring(new Rule.Least(1, "web", "rack"))),
        plain.withTerms(Terms.NONE.preferring(new Rule.Most(0, "web", "rack"))));
  }

  private void fill() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      Resources capacity = Resources.of("cpu", i % 7);
      capacity = i == 77 ? Resources.of("cpu", 6, "rare", 1) : capacity;
      capacity = i % 10 == 3 ? Resources.of("cpu", 6, "ward", "-inf") : capacity;
      capacity = i == 20 ? Resources.of("cpu", 6, "rare-ward", "-inf") : capacity;
      nodes.add(Node.of("n" + i, capacity).in("rack", "r" + i % 5));
    }
    ledger.nodeChanges().add(nodes);
    Batch batch = Batch.open(ledger, placed());
    Demand demand;
    for (int i = 0; i < batch.size(); i++) {
      demand = batch.demand(i);
      ledger.place(batch.entry(i), new int[] {4, 5, 6, 11, 14}[i], demand);
    }
    batch.close();
    ledger.nodeChanges().cordon(12, true);
    ledger.commit();
  }

  private static List<Workload> placed() {
    List<Workload> placed = new ArrayList<>();
    Workload web = workload("cpu", 0).withTerms(Terms.NONE.inGroups("web"));
    for (int i = 0; i < 4; i++) {
      placed.add(web.named("web-" + i));
    }
    placed.add(workload("cpu", 0).named("rival").withAversionGroups("a"));
    return placed;
  }

  /** Everything that a query answers, in one list. */
  private List<Integer> answers(Finder finder, Query query) {
    List<Integer> answers = new ArrayList<>();
    for (int from : new int[] {0, 40, NODES - 1}) {
      answers.add(finder.first(query, from));
    }
    answers.add(finder.first(query, finder.orderBy(Rubric.of("cpu", 1)), false));
    answers.add(finder.first(query, finder.orderBy(Rubric.of("cpu", 1)), true));
    for (int node = finder.nextCandidate(query, 0, false);
        node != NodeTable.NONE;
        node = finder.nextCandidate(query, node + 1, false)) {
      answers.add(node);
    }
    for (int node = 0; node < NODES; node++) {
      answers.add(query.fits(node) ? query.averse(node) ? 1 : 2 : 0);
      query.reportBroken(
          node, (by, condition, kind, key, lacking, against) -> answers.add(kind.ordinal()));
    }
    return answers;
  }

  /** Patience 0 builds an index at once; the other builds none. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1_000_000})
  void eachAnswersAsIfItWereTheOnlyOne(int patience) {
    fill();
    Finder finder = new Finder(ledger, patience);
    List<Workload> workloads = workloads();
    List<Workload> named =
        IntStream.range(0, workloads.size())
            .mapToObj(i -> workloads.get(i).named("asks-" + i))
            .toList();
    Batch batch = Batch.open(ledger, named);
    finder.expect(batch);
    List<Query> open = new ArrayList<>();
    List<List<Integer>> alone = new ArrayList<>();
    Within within = new Within("rack", 2, new boolean[0]);
    for (int i = 0; i < 2 * batch.size(); i++) {
      Demand demand;
      demand = batch.demand(i / 2);
      try (Query query = finder.bind(demand, i % 2 == 0 ? Within.FLEET : within)) {
        alone.add(answers(finder, query));
      }
    }
    assertThat(Set.copyOf(alone)).as("the answers differ").hasSizeGreaterThan(12);
    for (int i = 0; i < 2 * batch.size(); i++) {
      Demand demand;
      demand = batch.demand(i / 2);
      open.add(finder.bind(demand, i % 2 == 0 ? Within.FLEET : within));
    }
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < open.size(); i++) {
        int at = round == 0 ? i : open.size() - 1 - i;
        assertThat(answers(finder, open.get(at))).as("query " + at).isEqualTo(alone.get(at));
      }
    }
    // Node by node, in turns.
    int ruledOut = 0;
    for (int node = 0; node < NODES; node++) {
      for (int i = 0; i < open.size(); i++) {
        try (Query fresh = finder.bind(open.get(i).demand(), open.get(i).within())) {
          assertThat(open.get(i).fits(node)).as("query " + i).isEqualTo(fresh.fits(node));
        }
        if (patience == 0 && !open.get(i).mayFit(node)) {
          assertThat(open.get(i).fits(node)).as("query " + i + " by bitmaps").isFalse();
          ruledOut++;
        }
      }
    }
    assertThat(ruledOut > 100).isEqualTo(patience == 0);
    open.forEach(Query::close);
    batch.close();
  }
}
