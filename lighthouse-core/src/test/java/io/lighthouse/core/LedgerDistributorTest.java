package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LedgerDistributorTest extends SmallFleets {
  @Nested
  class Building {
    @Test
    void tellsWhatItWasMadeOf() {
      Distributor distributor =
          Distributors.of(new First())
              .nodes(List.of(node("n1", "cpu", 1)))
              .nodes(node("n2", "cpu", 1))
              .rubric(Rubric.of("cpu", 2))
              .setting("b", "x")
              .settings(Map.of("a", "7"))
              .build();
      assertThat(distributor.strategy().name()).isEqualTo("first");
      assertThat(distributor.strategy().origin()).contains(First.class.getName());
      assertThat(distributor.strategy().settings()).hasSize(2);
      assertThat(distributor.rubric()).contains(Rubric.of("cpu", 2));
      assertThat(distributor.settings()).hasToString("{a=7, b=x}");
      assertThatThrownBy(() -> distributor.settings().put("a", "8"))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(distributor.snapshot().nodes())
          .extracting(NodeState::name)
          .containsExactly("n1", "n2");
      assertThat(distributor.snapshot().lastPlaced()).isEmpty();
      assertThat(pair().rubric()).isEmpty();
    }

    @Test
    void refusesSettingsThatAreUnknownOrWrong() {
      assertThatThrownBy(() -> Distributors.of(new First()).setting("c", "1").build())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("settings", "'c'", "a, b");
      assertThatThrownBy(() -> Distributors.of(new First()).setting("a", "10").build())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("settings", "a", "'10'", "from 1 to 9");
      assertThatThrownBy(() -> Distributors.of(new Round()).setting("a", "1").build())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("no setting");
    }

    @Test
    void refusesNullAtOnce() {
      Distributor distributor = pair();
      Workload one = Workload.of("w", Resources.of("cpu", 1));
      Distributors.Builder builder = Distributors.of(new First());
      Map<String, String> halfSound = new LinkedHashMap<>();
      halfSound.put("b", "1");
      halfSound.put("a", null);
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> builder.setting("a", null),
              () -> builder.setting(null, "1"),
              () -> builder.settings(halfSound),
              () -> builder.nodes(Arrays.asList(node("n", "cpu", 1), null)),
              () -> builder.rules(Arrays.asList(new Rule.Most(1, "g", "node"), null)),
              () -> distributor.onChange(null),
              () -> distributor.assign(List.of(one), (Budget) null),
              () -> distributor.advisor().whatIf(List.of(), List.of(), null),
              () -> distributor.advisor().size(List.of(), List.of(), null))) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class);
      }
      assertThat(builder.build().settings()).isEmpty();
      assertThat(builder.build().snapshot().nodes()).isEmpty();
      assertThat(builder.build().rules()).isEmpty();
      assertThat(distributor.snapshot().placedCount()).isZero();
      assertThat(distributor.assign(one).allPlaced()).isTrue();
    }

    @Test
    void addsNoRuleWhereOneIsRefused() {
      Distributors.Builder builder = Distributors.of(new First());
      Rule sound = new Rule.Most(1, "g", "node");
      assertThatThrownBy(() -> builder.rules(sound, new Rule.Skew(0, "g", "node", 1)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("rules[1].skew");
      assertThat(builder.build().rules()).isEmpty();
    }

    @Test
    void refusesDoubleNodesAndPositionsOnNone() {
      assertThatThrownBy(() -> fleet(node("n", "cpu", 1), node("n", "cpu", 1)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("node 'n'", "name", "each name once");
      assertThatThrownBy(() -> Distributors.of(new First()).lastPlaced("n").build())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("'n'", "no nodes");
    }

    @Test
    void mayBeDoneTwiceWithTwoStates() {
      Distributors.Builder builder = Distributors.of(new First()).nodes(node("n", "cpu", 1));
      Distributor one = builder.build();
      Distributor two = builder.nodes(node("m", "cpu", 1)).build();
      assertThat(one.assign(workload("w", "cpu", 1)).allPlaced()).isTrue();
      assertThat(one.snapshot().nodes()).hasSize(1);
      assertThat(two.snapshot().placedCount()).isZero();
    }

    @Test
    void worksWithoutNodesAtAll() {
      Distributor empty = fleet();
      assertThat(empty.assign(workload("w")).refused()).containsExactly("w");
      assertThat(empty.fitting(workload("w"))).isEmpty();
      assertThat(empty.releaseAll()).isEmpty();
      assertThat(empty.explain(workload("w")).nodes()).isEmpty();
      refused(empty, () -> empty.node("n"), "'n'", "none");
      assertThat(empty).hasToString("distributor 'first' of 0 nodes with 0 workloads");
    }
  }

  @Nested
  class Assigning {
    @Test
    void answersEveryWorkloadInTheOrderGiven() {
      Distributor distributor = pair();
      Assignments answer =
          distributor.assign(
              workload("big", "cpu", 9), workload("a", "cpu", 3), workload("b", "cpu", 3));
      assertThat(answer).hasToString("{big: none, a: n1, b: n2}");
      assertThat(answer.refused()).containsExactly("big");
      assertThat(answer.refusals()).as("not asked for").isEmpty();
      assertThat(distributor.snapshot().nodeOf("b")).contains("n2");
      assertThat(distributor.snapshot().nodeOf("big")).isEmpty();
      assertThat(distributor.snapshot().lastPlaced()).contains("n2");
      assertThat(distributor.assign(List.of())).hasToString("{}");
    }

    @Test
    void remembersFromCallToCall() {
      Distributor distributor = fleet(node("n", "cpu", "0.3"));
      for (int i = 0; i < 3; i++) {
        assertThat(distributor.assign(workload("w" + i, "cpu", "0.1")).allPlaced()).isTrue();
      }
      assertThat(distributor.assign(workload("w3", "cpu", "0.1")).allPlaced()).isFalse();
      assertThat(distributor.node("n").left()).isEqualTo(Resources.of("cpu", 0));
      assertThat(distributor.node("n").capacity()).isEqualTo(Resources.of("cpu", "0.3"));
    }

    @Test
    void refusesABatchThatIsWrongInItself() {
      Distributor distributor = pair();
      distributor.assign(workload("placed", "cpu", 1));
      Workload good = workload("good", "cpu", 1);
      refused(distributor, () -> distributor.assign(good, good), "workload 'good'", "twice");
      refused(
          distributor,
          () -> distributor.assign(good, workload("placed")),
          "workload 'placed'",
          "name",
          "node 'n1'");
      refused(
          distributor,
          () -> distributor.assign(good, workload("huge", "cpu", "1e19")),
          "workload 'huge'",
          "requirements.cpu",
          "10000000000000000000",
          "2^62");
      assertThatThrownBy(() -> distributor.assign(Arrays.asList(good, null)))
          .isInstanceOf(NullPointerException.class);
      assertThat(distributor.assign(good).allPlaced()).isTrue();
    }

    @Test
    void explainsRefusalsWhereAskedFor() {
      Distributor distributor = pair();
      Assignments answer =
          distributor.assign(
              List.of(workload("a", "cpu", 3), workload("b", "cpu", 2, "mem", 1)),
              AssignOption.EXPLAIN);
      assertThat(answer.refusals())
          .containsExactly(
              new Refusal(
                  "b",
                  2,
                  List.of(
                      new ReasonCount(Reason.Kind.MISSING, "mem", 1),
                      new ReasonCount(Reason.Kind.SHORT, "cpu", 1)),
                  List.of(
                      new NodeVerdict(
                          "n1",
                          false,
                          List.of(
                              new Reason.Insufficient(
                                  "cpu", Quantity.ONE, Quantity.of(2), Quantity.ONE))),
                      new NodeVerdict(
                          "n2", false, List.of(new Reason.Missing("mem", Quantity.ONE))))));
    }

    @Test
    void allOrNothingLeavesEverythingWhereOneFindsNone() {
      Distributor distributor = pair();
      distributor.assign(workload("before", "cpu", 1));
      List<Object> before = state(distributor);
      List<Workload> batch =
          List.of(workload("a", "cpu", 3), workload("b", "cpu", 9), workload("c", "cpu", 3));
      Assignments answer =
          distributor.assign(batch, AssignOption.ALL_OR_NOTHING, AssignOption.EXPLAIN);
      assertThat(answer).hasToString("{a: none, b: none, c: none}");
      assertThat(answer.refusals()).extracting(Refusal::workload).containsExactly("b");
      assertThat(distributor.assign(batch, AssignOption.ALL_OR_NOTHING).refusals()).isEmpty();
      assertThat(state(distributor)).isEqualTo(before);
      assertThat(
              distributor
                  .assign(
                      List.of(batch.get(0), batch.get(2)),
                      AssignOption.ALL_OR_NOTHING,
                      AssignOption.EXPLAIN)
                  .allPlaced())
          .isTrue();
    }
  }

  @Nested
  class Releasing {
    @Test
    void giveBackByWorkloadByNodeAndAll() {
      Distributor distributor = pair();
      List<Object> empty = state(distributor).subList(0, 2);
      distributor.assign(
          workload("a", "cpu", 2),
          workload("b", "cpu", 2),
          workload("c", "cpu", 2),
          workload("d", "cpu", 2));
      assertThat(distributor.release("a").name()).isEqualTo("a");
      assertThat(distributor.release(List.of("c", "b", "c")))
          .extracting(Workload::name)
          .containsExactly("c", "b");
      assertThat(distributor.releaseNode("n1")).isEmpty();
      assertThat(distributor.releaseNode("n2")).extracting(Workload::name).containsExactly("d");
      assertThat(state(distributor).subList(0, 2)).isEqualTo(empty);
      distributor.assign(workload("a", "cpu", 4), workload("b", "cpu", 3));
      assertThat(distributor.releaseAll()).extracting(Workload::name).containsExactly("a", "b");
      assertThat(state(distributor).subList(0, 2)).isEqualTo(empty);
      assertThat(distributor.snapshot().lastPlaced()).contains("n2");
    }

    @Test
    void isAllOrNone() {
      Distributor distributor = pair();
      distributor.assign(workload("a", "cpu", 1), workload("b", "cpu", 9));
      refused(
          distributor,
          () -> distributor.release(List.of("a", "b")),
          "workload",
          "'b'",
          "placed workload");
      refused(distributor, () -> distributor.release("ghost"), "'ghost'");
      refused(distributor, () -> distributor.releaseNode("n9"), "node", "'n9'", "n1, n2");
    }
  }

  @Nested
  class ALivingFleet {
    @Test
    void takesNodesInAndLetsThemGo() {
      Distributor distributor = pair();
      distributor.addNode(node("n3", "cpu", 1));
      assertThat(distributor.fitting(workload("w", "cpu", 1))).containsExactly("n1", "n2", "n3");
      distributor.removeNode("n1");
      assertThat(distributor.fitting(workload("w", "cpu", 1))).containsExactly("n2", "n3");
      distributor.assign(workload("a", "cpu", 1));
      refused(
          distributor,
          () -> distributor.removeNode("n2"),
          "node 'n2'",
          "workloads",
          "1 placed",
          "release them first");
      refused(distributor, () -> distributor.removeNode("n1"), "'n1'", "n2, n3");
      refused(distributor, () -> distributor.addNode(node("n2", "x", 1)), "node 'n2'", "once");
      Node brings = new Node("n4", Resources.of("cpu", 1), List.of(workload("a")), false);
      refused(distributor, () -> distributor.addNode(brings), "workload 'a'", "node 'n4'");
    }

    @Test
    void resizesCordonsAndUncordons() {
      Distributor distributor = pair();
      distributor.assign(workload("a", "mem", 6));
      distributor.resize("n1", Resources.of("mem", 5));
      assertThat(distributor.node("n1").left()).isEqualTo(Resources.of("mem", -1));
      assertThat(distributor.fitting(workload("w"))).containsExactly("n2");
      assertThat(distributor.fitting(workload("w").withImmunities("mem")))
          .containsExactly("n1", "n2");
      distributor.cordon("n2");
      distributor.cordon("n2");
      assertThat(distributor.fitting(workload("w"))).isEmpty();
      assertThat(distributor.node("n2").cordoned()).isTrue();
      distributor.uncordon("n2");
      distributor.uncordon("n2");
      assertThat(distributor.fitting(workload("w"))).containsExactly("n2");
      refused(
          distributor,
          () -> distributor.resize("n1", Resources.of("cpu", 1)),
          "node 'n1'",
          "mem",
          "'a'");
      refused(distributor, () -> distributor.resize("x", Resources.none()), "'x'");
      refused(distributor, () -> distributor.cordon("x"), "'x'");
      refused(distributor, () -> distributor.uncordon("x"), "'x'");
      refused(distributor, () -> distributor.node("x"), "'x'");
    }
  }
}
