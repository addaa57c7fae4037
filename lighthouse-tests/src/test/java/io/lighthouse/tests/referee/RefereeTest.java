package io.lighthouse.tests.referee;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The referee says no to what is wrong, and yes to what is right. */
class RefereeTest {
  private static final Conduct AS_A_WHOLE = new Conduct(Optional.empty(), false);
  private static final Workload ONE = Workload.of("w", Resources.of("cpu", 1));

  private static Books nodes(Node... nodes) {
    return new Books(List.of(nodes), List.of(), List.of());
  }

  private static Node node(Object cpu) {
    return Node.of("n", Resources.of("cpu", cpu));
  }

  /** What the referee finds if all of a batch are placed on one node. */
  private static List<Finding> judged(
      Books books, Conduct conduct, String node, Workload... batch) {
    String[] names = Arrays.stream(batch).map(Workload::name).toArray(String[]::new);
    String[] placed = Arrays.stream(batch).map(any -> node).toArray(String[]::new);
    return new Referee(books, Optional.empty(), conduct)
        .judge(
            new Call.Assign(List.of(batch), List.of()), Assignments.of(names, placed, List.of()));
  }

  /** One fleet has a workload that requires what its undeclared domain lacks; another has not. */
  @Test
  void theBooksOfOneFleetSayNothingOfAnother() {
    Workload cooled = ONE.withTerms(Terms.NONE.sharing("zone", Resources.of("cool", 1)));
    Node node = node(2).in("zone", "z");
    assertThat(nodes(node.withWorkloads(cooled)).placed()).containsExactly(cooled);
    Books books = nodes(node);
    assertThat(books.fitting(cooled)).isEmpty();
    assertThat(books.fitting(ONE)).containsExactly("n");
  }

  @Test
  void namesTheLawAndWhatWasExpected() {
    assertThat(judged(nodes(node("0.9")), Conduct.PLAIN, "n", ONE))
        .singleElement()
        .satisfies(finding -> assertThat(finding.law()).isEqualTo(Law.ROOM))
        .hasToString(
            "workload 'w': expected a node that it fits, found placed on 'n': "
                + "Insufficient[name=cpu, left=0.9, required=1, lacking=0.1]");
  }

  /** The names of the refusals first, then one by one. */
  @Test
  void showsTheRefusalThatIsWrong() {
    List<Workload> batch = List.of(ONE.named("a"), ONE.named("b"));
    Refusal right = refusal("a");
    Refusal wrong = new Refusal("b", 7, List.of(), List.of());

    assertThat(judgedRefusals(batch, right))
        .extracting(Finding::about)
        .containsExactly("the refusal of each");
    assertThat(judgedRefusals(batch, right, wrong))
        .containsExactly(
            new Finding(
                Law.REASONS, "the refusal of 'b'", refusal("b").toString(), wrong.toString()));
    assertThat(judgedRefusals(batch, right, refusal("b"))).isEmpty();
  }

  private static Refusal refusal(String workload) {
    return new Refusal(workload, 0, List.of(), List.of());
  }

  /** What the referee finds if a batch is refused, for a fleet has no nodes. */
  private static List<Finding> judgedRefusals(List<Workload> batch, Refusal... refusals) {
    Call call = new Call.Assign(batch, List.of(AssignOption.EXPLAIN));
    String[] names = batch.stream().map(Workload::name).toArray(String[]::new);
    return new Referee(nodes(), Optional.empty(), Conduct.PLAIN)
        .judge(call, Assignments.of(names, new String[names.length], List.of(refusals)));
  }

  @Test
  void aCallReadsWithoutWhatIsEmpty() {
    Workload member = ONE.withTerms(Terms.NONE.inGroups("a").sharing("rack", ONE.requirements()));
    assertThat(new Call.Explain(ONE)).hasToString("explain workload w {cpu: 1}");
    assertThat(new Call.Explain(member))
        .hasToString("explain workload w {cpu: 1} sharing {rack={cpu: 1}} in groups [a]");
    Domain rack = Domain.of("rack", "r1", ONE.requirements());
    assertThat(new Call.Attempt(new Change.Declare(rack)))
        .hasToString("attempt declare domain rack r1 {cpu: 1}");
  }

  @Test
  void findsANodeThatIsNotThere() {
    assertThat(judged(nodes(), Conduct.PLAIN, "ghost", ONE))
        .extracting(Finding::law)
        .containsExactly(Law.ANSWER);
  }

  @Test
  void lendsAWholeBatchAnyOrderThatMakesItPossible() {
    Workload giver = Workload.of("giver", Resources.of("cpu", -5));
    Workload taker = Workload.of("taker", Resources.of("cpu", 6));
    assertThat(judged(nodes(node(1)), AS_A_WHOLE, "n", taker, giver)).isEmpty();
  }

  @Test
  void findsAWholeBatchThatNoOrderMakesPossible() {
    Workload two = Workload.of("w", Resources.of("cpu", 2));
    assertThat(judged(nodes(node(1)), AS_A_WHOLE, "n", two))
        .extracting(Finding::law)
        .containsExactly(Law.ROOM);
  }

  /** Above 4,096 times what all nodes have together, sizes are equal. */
  @Test
  void takesWorkloadsThatAreFarTooLargeInTheOrderGiven() {
    List<Workload> batch =
        List.of(
            Workload.of("large", Resources.of("cpu", 5)),
            Workload.of("larger", Resources.of("cpu", 6)));
    Conduct bySize = new Conduct(Optional.of(BatchOrder.sizeDescending()), false);

    assertThat(bySize.inTurn(batch, nodes(node("0.001")))).isEqualTo(batch);
  }

  @Test
  void letsAnImmuneWorkloadOverdrawADomainOfAnyName() {
    Node node = Node.of("n", Resources.none()).in("rack", "a/b");
    Domain rack = Domain.of("rack", "a/b", Resources.of("power", 1));
    Workload immune =
        Workload.of("w", Resources.none())
            .withImmunities("power")
            .withTerms(Terms.NONE.sharing("rack", Resources.of("power", 2)));
    Books books = new Books(List.of(node), List.of(rack), List.of());

    assertThat(judged(books, AS_A_WHOLE, "n", immune)).isEmpty();
  }
}
