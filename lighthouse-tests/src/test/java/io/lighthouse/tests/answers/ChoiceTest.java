package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.advice.Choice.Candidate;
import io.lighthouse.api.advice.Choice.Decider;
import io.lighthouse.api.advice.Choice.Order;
import io.lighthouse.api.advice.Choice.Term;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a choice tells of strategies of strangers, of preferences, and of mistakes. */
class ChoiceTest {
  private static final Workload WORKLOAD = Workload.of("w", Resources.of("cpu", 1));
  private static final Comparator<FleetNode> MOST_MEMORY =
      Comparator.comparing((FleetNode node) -> node.left("mem").orElseThrow()).reversed();

  private static Distributor fleet(Placer placer) {
    return Distributors.of("own", placer).nodes(nodes()).build();
  }

  private static List<Node> nodes() {
    return List.of(
        Node.of("a", Resources.of("cpu", 4, "mem", 2)),
        Node.of("b", Resources.of("cpu", 2, "mem", 8)),
        Node.of("c", Resources.of("cpu", 3, "mem", 8)),
        Node.of("d", Resources.of("cpu", 0, "mem", 9)));
  }

  private static Choice choice(Placer placer) {
    return fleet(placer).advisor().choice(0, List.of(WORKLOAD));
  }

  private static List<String> names(Choice choice) {
    return choice.candidates().stream().map(Candidate::node).toList();
  }

  /** A placer with terms: what is left of memory, negated, then of cpu. */
  private static Placer telling(Function<Candidates, FleetNode> chooses) {
    return new Placer() {
      @Override
      public FleetNode choose(Workload workload, Candidates candidates) {
        return chooses.apply(candidates);
      }

      @Override
      public List<Term> terms(Workload workload, FleetNode node) {
        return List.of(
            Term.of("free memory", node.left("mem").orElseThrow().negated()),
            Term.of("free cpu", node.left("cpu").orElseThrow()));
      }
    };
  }

  @Test
  void listsTheCandidatesOfAComparatorInItsOrder() {
    Choice choice = choice((workload, candidates) -> candidates.best(MOST_MEMORY));

    assertThat(choice.order()).isEqualTo(Order.COMPARATOR);
    assertThat(names(choice)).containsExactly("b", "c", "a");
    assertThat(choice.decider()).isEqualTo(Decider.NODES); // They are equal.
    assertThat(choice.candidates()).allMatch(one -> one.score().isEmpty());
  }

  @Test
  void namesTheTermThatDecided() {
    Comparator<FleetNode> thenLeastCpu =
        MOST_MEMORY.thenComparing(node -> node.left("cpu").orElseThrow());
    Choice choice = choice(telling(candidates -> candidates.best(thenLeastCpu)));

    assertThat(names(choice)).containsExactly("b", "c", "a");
    assertThat(choice.decider()).isEqualTo(Decider.TERM);
    assertThat(choice.detail()).isEqualTo("free cpu");
    assertThat(choice.candidates().get(0).terms())
        .containsExactly(
            Term.of("free memory", Quantity.of(-8)), Term.of("free cpu", Quantity.of(2)));
  }

  @Test
  void listsByTheTermsWhereTheStrategyLooksByItself() {
    Function<Candidates, FleetNode> last =
        candidates -> {
          FleetNode found = candidates.first();
          for (FleetNode node : candidates) {
            found = node.name().equals("c") ? node : found;
          }
          return found;
        };
    Choice telling = choice(telling(last));
    Choice silent = choice((workload, candidates) -> last.apply(candidates));

    assertThat(telling.order()).isEqualTo(Order.STRATEGY);
    assertThat(names(telling)).containsExactly("c", "b", "a");
    assertThat(telling.decider()).isEqualTo(Decider.STRATEGY); // By the terms it would be b.
    assertThat(names(silent)).containsExactly("c", "a", "b");
    assertThat(silent.decider()).isEqualTo(Decider.STRATEGY);
  }

  @Test
  void tellsTheLastQuestionThatGaveTheAnswer() {
    Choice choice =
        choice(
            (workload, candidates) -> {
              candidates.first();
              FleetNode wanted = candidates.firstAfter(1);
              candidates.best(MOST_MEMORY);
              return wanted;
            });

    assertThat(choice.order()).isEqualTo(Order.TURN);
    assertThat(names(choice)).containsExactly("c", "a", "b");
    assertThat(choice.candidates().get(0).score()).contains(Quantity.of(1));
  }

  @Test
  void listsADescendingOrderFromItsOtherEnd() {
    PlacementStrategy emptiest =
        new PlacementStrategy() {
          @Override
          public String name() {
            return "emptiest";
          }

          @Override
          public Placer newPlacer(Fleet fleet, Settings settings) {
            NodeOrder order = fleet.orderBy("mem").descending();
            return (workload, candidates) -> candidates.best(order);
          }
        };
    Choice choice =
        Distributors.of(emptiest).nodes(nodes()).build().advisor().choice(0, List.of(WORKLOAD));

    assertThat(choice.order()).isEqualTo(Order.SCORE);
    assertThat(choice.descending()).isTrue();
    assertThat(names(choice)).containsExactly("b", "c", "a");
    assertThat(choice.decider()).isEqualTo(Decider.NAME);
    assertThat(choice.candidates().get(2).terms())
        .containsExactly(new Term("mem", Quantity.of(2), Quantity.of(1), Quantity.of(2)));
  }

  @Test
  void putsPreferencesBeforeTheOrder() {
    Terms terms =
        Terms.NONE.preferring(
            new Rule.Where(List.of(new Condition.In("zone", Set.of("x")))),
            new Rule.Where(List.of(new Condition.In("zone", Set.of("y")))));
    Distributor fleet =
        Distributors.of("own", (workload, candidates) -> candidates.best(MOST_MEMORY))
            .nodes(
                Node.of("a", Resources.of("cpu", 4, "mem", 9)),
                Node.of("b", Resources.of("cpu", 4, "mem", 2)).in("zone", "x"),
                Node.of("c", Resources.of("cpu", 4, "mem", 1)).in("zone", "y"),
                Node.of("d", Resources.of("cpu", 4, "mem", 1)).in("zone", "x"))
            .build();
    Choice choice = fleet.advisor().choice(0, List.of(WORKLOAD.withTerms(terms)));

    assertThat(names(choice)).containsExactly("b", "d", "c", "a");
    assertThat(choice.candidates().get(2).excess()).containsExactly(1L, 0L);
    assertThat(choice.decider()).isEqualTo(Decider.COMPARATOR);

    fleet.cordon("d");
    Choice second = fleet.advisor().choice(0, List.of(WORKLOAD.withTerms(terms)));
    assertThat(second.decider()).isEqualTo(Decider.PREFERENCE);
    assertThat(second.detail()).isEqualTo("1");
  }

  @Test
  void saysNothingOfANodeWhereNoneTakesIt() {
    Choice choice =
        fleet((workload, candidates) -> candidates.first())
            .advisor()
            .choice(0, List.of(Workload.of("w", Resources.of("gpu", 1))));

    assertThat(choice.placed()).isFalse();
    assertThat(choice.chosen()).isEmpty();
    assertThat(choice.candidates()).isEmpty();
    assertThat(choice.decider()).isEqualTo(Decider.NOTHING);
  }

  @Test
  void blamesAStrategyWhoseTermsFail() {
    Placer failing =
        new Placer() {
          @Override
          public FleetNode choose(Workload workload, Candidates candidates) {
            return candidates.first();
          }

          @Override
          public List<Term> terms(Workload workload, FleetNode node) {
            throw new IllegalStateException("no idea");
          }
        };
    Distributor fleet = fleet(failing);

    assertThatThrownBy(() -> fleet.advisor().choice(0, List.of(WORKLOAD)))
        .isInstanceOf(StrategyException.class)
        .hasMessageContaining("its terms")
        .hasMessageContaining("no idea");
    assertThat(fleet.assign(WORKLOAD).node(0)).contains("a");
  }

  @Test
  void refusesAnIndexThatIsNotThere() {
    assertThatThrownBy(
            () ->
                fleet((w, candidates) -> candidates.first()).advisor().choice(1, List.of(WORKLOAD)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("index");
  }
}
