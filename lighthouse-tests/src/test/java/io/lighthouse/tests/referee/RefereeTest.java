package io.lighthouse.tests.referee;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.generate.Sketch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/**
 * The referee says no to what is wrong, yes to what is right, and is of one mind with the search.
 */
class RefereeTest {
  private static final Workload ONE = Workload.of("w", Resources.of("cpu", 1));

  @Provide
  Arbitrary<Scenario> tiny() {
    return Scenarios.tiny();
  }

  /** Every answer that one can give, right or wrong: nodes plus one to the power of the batch. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void findsNothingExactlyInWhatTheSearchFindsLawful(@ForAll("tiny") Scenario scenario) {
    Sketch.Assign sketch = (Sketch.Assign) scenario.sketches().get(0);
    List<Workload> batch = new ArrayList<>();
    for (Workload workload : sketch.workloads()) {
      batch.add(
          new Workload(
              workload.name() + batch.size(),
              workload.requirements(),
              workload.immunities(),
              workload.aversionGroups()));
    }
    Set<List<Optional<String>>> lawful = LawfulAnswers.to(scenario.fleet().nodes(), batch);
    assertThat(lawful).isNotEmpty();
    for (List<Optional<String>> answer : answers(scenario.fleet().nodes(), batch.size())) {
      assertThat(judged(scenario.fleet().nodes(), batch, answer).isEmpty())
          .as("%s to %s", answer, batch)
          .isEqualTo(lawful.contains(answer));
    }
  }

  /** One fleet has a workload that requires what its undeclared domain lacks; another has not. */
  @Test
  void theBooksOfOneFleetSayNothingOfAnother() {
    Workload cooled = ONE.withTerms(Terms.NONE.sharing("zone", Resources.of("cool", 1)));
    Node node = Node.of("n", Resources.of("cpu", 2)).in("zone", "z");
    Books other = new Books(List.of(node.withWorkloads(cooled)), List.of(), List.of());
    assertThat(other.placed()).containsExactly(cooled);
    Books books = new Books(List.of(node), List.of(), List.of());
    assertThat(books.fitting(cooled)).isEmpty();
    assertThat(books.fitting(ONE)).containsExactly("n");
  }

  private static List<List<Optional<String>>> answers(List<Node> nodes, int size) {
    List<List<Optional<String>>> answers = new ArrayList<>();
    answers.add(List.of());
    for (int i = 0; i < size; i++) {
      List<List<Optional<String>>> longer = new ArrayList<>();
      for (List<Optional<String>> answer : answers) {
        for (int node = -1; node < nodes.size(); node++) {
          List<Optional<String>> next = new ArrayList<>(answer);
          next.add(node < 0 ? Optional.empty() : Optional.of(nodes.get(node).name()));
          longer.add(next);
        }
      }
      answers = longer;
    }
    return answers;
  }

  private static List<Finding> judged(
      List<Node> nodes, List<Workload> batch, List<Optional<String>> answer) {
    Referee referee = new Referee(nodes, Optional.empty(), Conduct.PLAIN);
    return referee.judge(
        new Call.Assign(batch, List.of()),
        Assignments.of(
            batch.stream().map(Workload::name).toArray(String[]::new),
            answer.stream().map(node -> node.orElse(null)).toArray(String[]::new),
            List.of()));
  }

  @Test
  void namesTheLawAndWhatWasExpected() {
    List<Finding> findings =
        judged(
            List.of(Node.of("n", Resources.of("cpu", "0.9"))),
            List.of(ONE),
            List.of(Optional.of("n")));
    assertThat(findings)
        .singleElement()
        .satisfies(finding -> assertThat(finding.law()).isEqualTo(Law.ROOM))
        .hasToString(
            "workload 'w': expected a node that it fits, found placed on 'n': "
                + "Insufficient[name=cpu, left=0.9, required=1, lacking=0.1]");
  }

  @Test
  void findsANodeThatIsNotThere() {
    assertThat(judged(List.of(), List.of(ONE), List.of(Optional.of("ghost"))))
        .extracting(Finding::law)
        .containsExactly(Law.ANSWER);
  }

  @Test
  void lendsAWholeBatchAnyOrderThatMakesItPossible() {
    Workload giver = Workload.of("giver", Resources.of("cpu", -5));
    Workload taker = Workload.of("taker", Resources.of("cpu", 6));
    List<Workload> takerFirst = List.of(taker, giver);
    Referee referee =
        new Referee(
            List.of(Node.of("n", Resources.of("cpu", 1))),
            Optional.empty(),
            new Conduct(Optional.empty(), false));
    String[] names = {"taker", "giver"};
    String[] nodes = {"n", "n"};
    Call call = new Call.Assign(takerFirst, List.of());
    assertThat(referee.judge(call, Assignments.of(names, nodes, List.of()))).isEmpty();
  }

  /** Above 4,096 times what all nodes have together, sizes are equal. */
  @Test
  void takesWorkloadsThatAreFarTooLargeInTheOrderGiven() {
    List<Node> nodes = List.of(Node.of("n", Resources.of("cpu", "0.001")));
    List<Workload> batch =
        List.of(
            Workload.of("large", Resources.of("cpu", 5)),
            Workload.of("larger", Resources.of("cpu", 6)));
    Conduct bySize = new Conduct(Optional.of(BatchOrder.sizeDescending()), false);

    assertThat(bySize.inTurn(batch, nodes)).isEqualTo(batch);
  }

  @Test
  void letsAnImmuneWorkloadOverdrawADomainOfAnyName() {
    Node node = Node.of("n", Resources.none()).in("rack", "a/b");
    Domain rack = Domain.of("rack", "a/b", Resources.of("power", 1));
    Workload immune =
        Workload.of("w", Resources.none())
            .withImmunities("power")
            .withTerms(Terms.NONE.sharing("rack", Resources.of("power", 2)));
    Referee referee =
        new Referee(
            new Books(List.of(node), List.of(rack), List.of()),
            Optional.empty(),
            new Conduct(Optional.empty(), false));
    Call call = new Call.Assign(List.of(immune), List.of());
    Assignments answer = Assignments.of(new String[] {"w"}, new String[] {"n"}, List.of());

    assertThat(referee.judge(call, answer)).isEmpty();
  }

  @Test
  void findsAWholeBatchThatNoOrderMakesPossible() {
    Referee referee =
        new Referee(
            List.of(Node.of("n", Resources.of("cpu", 1))),
            Optional.empty(),
            new Conduct(Optional.empty(), false));
    Call call = new Call.Assign(List.of(Workload.of("w", Resources.of("cpu", 2))), List.of());
    Assignments answer = Assignments.of(new String[] {"w"}, new String[] {"n"}, List.of());
    assertThat(referee.judge(call, answer)).extracting(Finding::law).containsExactly(Law.ROOM);
  }
}
