package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LedgerDistributorTest {
  /** The first that fits; takes the settings a and b. */
  private static final class First implements PlacementStrategy {
    @Override
    public String name() {
      return "first";
    }

    @Override
    public List<Setting> settings() {
      return List.of(new Setting("a", "the first", "1"), new Setting("b", "the second", "2"));
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      settings.integer("a", 1, 9);
      return (workload, candidates) -> candidates.first();
    }
  }

  /** The first after the one that took the last. */
  private static final class Round implements PlacementStrategy {
    @Override
    public String name() {
      return "round";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (workload, candidates) -> candidates.firstAfter(fleet.lastPlaced());
    }
  }

  private static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  private static Workload workload(String name, Object... requirements) {
    return Workload.of(name, Resources.of(requirements));
  }

  private static Distributor fleet(Node... nodes) {
    return Distributors.of(new First()).nodes(nodes).build();
  }

  private static Distributor pair() {
    return fleet(node("n1", "cpu", 4, "mem", 8), node("n2", "cpu", 4, "disk", 1));
  }

  private static List<Object> state(Distributor distributor) {
    Snapshot snapshot = distributor.snapshot();
    List<Object> state = new ArrayList<>(snapshot.nodes());
    state.add(snapshot.lastPlaced());
    state.add(snapshot.placedCount());
    return state;
  }

  /** Refused with these words, and nothing has changed. */
  private static void refused(Distributor distributor, Runnable call, String... saying) {
    List<Object> before = state(distributor);
    assertThatThrownBy(call::run)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll(saying)
        .hasMessageContaining("allowed: ");
    assertThat(state(distributor)).isEqualTo(before);
  }

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
                              new Reason.Short("cpu", Quantity.ONE, Quantity.of(2), Quantity.ONE))),
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
      Assignments answer = distributor.assignAllOrNothing(batch);
      assertThat(answer).hasToString("{a: none, b: none, c: none}");
      assertThat(answer.refusals()).extracting(Refusal::workload).containsExactly("b");
      assertThat(distributor.assign(batch, AssignOption.ALL_OR_NOTHING).refusals()).isEmpty();
      assertThat(state(distributor)).isEqualTo(before);
      assertThat(distributor.assignAllOrNothing(List.of(batch.get(0), batch.get(2))).allPlaced())
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

  @Nested
  class Explaining {
    private final Distributor distributor = pair();
    private final List<Workload> batch =
        List.of(
            workload("a", "cpu", 3).withAversionGroups("g"),
            workload("b", "cpu", 1).withAversionGroups("g"),
            workload("c", "cpu", 4));

    @Test
    void changesNothingAndSaysWhatWouldHappen() {
      distributor.assign(workload("sitting", "cpu", 1));
      List<Object> before = state(distributor);
      for (int i = 0; i < batch.size(); i++) {
        Explanation explanation = distributor.explain(i, batch);
        assertThat(state(distributor)).isEqualTo(before);
        Assignments would = distributor.copy().assign(batch);
        assertThat(explanation.chosen()).isEqualTo(would.node(i));
        assertThat(explanation.workload()).isEqualTo(batch.get(i).name());
      }
      assertThat(state(distributor)).isEqualTo(before);
    }

    @Test
    void speaksOfTheStateAtTheWorkloadsTurn() {
      assertThat(distributor.explain(1, batch).nodes())
          .containsExactly(
              new NodeVerdict("n1", true, List.of(new Reason.Averse(Set.of("g")))),
              new NodeVerdict("n2", true, List.of()));
      assertThat(distributor.explain(2, batch).nodes())
          .containsExactly(
              new NodeVerdict(
                  "n1",
                  false,
                  List.of(new Reason.Short("cpu", Quantity.of(1), Quantity.of(4), Quantity.of(3)))),
              new NodeVerdict(
                  "n2",
                  false,
                  List.of(
                      new Reason.Short("cpu", Quantity.of(3), Quantity.of(4), Quantity.of(1)))));
      assertThat(distributor.explain(0, batch).nodes().get(1).reasons())
          .containsExactly(new Reason.Later("n1"));
    }

    @Test
    void doesNotMindTheNameOfTheWorkload() {
      distributor.assign(workload("a", "cpu", 1), workload("a'", "cpu", 1));
      Explanation explanation = distributor.explain(workload("a", "cpu", 1));
      assertThat(explanation.workload()).isEqualTo("a");
      assertThat(explanation.summary().workload()).isEqualTo("a");
      assertThat(explanation.chosen()).contains("n1");
      assertThat(distributor.fitting(workload("a", "cpu", 1))).containsExactly("n1", "n2");
    }

    @Test
    void refusesAnIndexThatTheBatchDoesNotHave() {
      refused(distributor, () -> distributor.explain(3, batch), "index", "3");
      refused(distributor, () -> distributor.explain(-1, batch), "index", "-1");
      refused(
          distributor,
          () -> distributor.explain(0, List.of(batch.get(0), batch.get(0))),
          "workload 'a'");
    }

    @Test
    void countsOverAllNodes() {
      Refusal summary = distributor.explain(workload("w", "mem", 9, "gpu", 1)).summary();
      assertThat(summary.nodes()).isEqualTo(2);
      assertThat(summary.counts())
          .containsExactly(
              new ReasonCount(Reason.Kind.MISSING, "gpu", 2),
              new ReasonCount(Reason.Kind.MISSING, "mem", 1),
              new ReasonCount(Reason.Kind.SHORT, "mem", 1));
      assertThat(summary.nearest()).extracting(NodeVerdict::node).containsExactly("n1", "n2");
    }
  }

  @Nested
  class SnapshotsAndCopies {
    @Test
    void snapshotsStayWhateverHappens() {
      Distributor distributor = pair();
      distributor.assign(workload("a", "cpu", 1));
      Snapshot snapshot = distributor.snapshot();
      distributor.release("a");
      distributor.cordon("n1");
      distributor.removeNode("n2");
      distributor.addNode(node("n3", "cpu", 1));
      assertThat(snapshot.nodes()).extracting(NodeState::name).containsExactly("n1", "n2");
      assertThat(snapshot.nodes().get(0).workloads()).containsExactly(workload("a", "cpu", 1));
      assertThat(snapshot.nodes().get(0).cordoned()).isFalse();
      assertThat(snapshot.placedCount()).isEqualTo(1);
      assertThat(snapshot.nodeOf("a")).contains("n1");
      assertThat(snapshot.lastPlaced()).contains("n1");
      assertThat(snapshot).hasToString("snapshot of 2 nodes with 1 workloads");
      assertThatThrownBy(() -> snapshot.nodes().clear())
          .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void copiesGoTheirOwnWays() {
      Distributor distributor =
          Distributors.of(new Round())
              .rubric(Rubric.of("cpu", 1))
              .nodes(node("n1", "cpu", 4), node("n2", "cpu", 4), node("n3", "cpu", 4))
              .build();
      distributor.assign(workload("a", "cpu", 1));
      Distributor copy = distributor.copy();
      assertThat(state(copy)).isEqualTo(state(distributor));
      assertThat(copy.rubric()).isEqualTo(distributor.rubric());
      assertThat(copy.strategy()).isEqualTo(distributor.strategy());
      List<Object> before = state(distributor);
      assertThat(copy.assign(workload("b", "cpu", 1)).nodeOf("b")).contains("n2");
      copy.release("a");
      copy.cordon("n3");
      copy.resize("n1", Resources.of("cpu", "0.5"));
      assertThat(state(distributor)).isEqualTo(before);
      List<Object> copied = state(copy);
      assertThat(distributor.assign(workload("b", "cpu", 1)).nodeOf("b")).contains("n2");
      distributor.removeNode("n3");
      assertThat(state(copy)).isEqualTo(copied);
    }

    @Test
    void aStateWrittenOutAndBuiltAgainGoesOnAsIfNothingHadBeen() {
      Distributor original =
          Distributors.of(new Round())
              .nodes(
                  node("n1", "cpu", "4.5", "ward", "-inf"),
                  node("n2", "cpu", 4, "sky", "inf"),
                  node("n3", "cpu", 4),
                  node("n4", "cpu", 4))
              .build();
      for (int i = 0; i < 6; i++) {
        original.assign(
            new Workload("w" + i, Resources.of("cpu", "0.7"), Set.of("ward"), Set.of("g" + i % 2)));
      }
      original.release("w3");
      original.cordon("n3");
      original.resize("n4", Resources.of("cpu", "0.1"));

      Snapshot snapshot = original.snapshot();
      Distributors.Builder builder =
          Distributors.of(new Round())
              .nodes(snapshot.nodes().stream().map(NodeState::toNode).toList());
      snapshot.lastPlaced().ifPresent(builder::lastPlaced);
      Distributor again = builder.build();
      assertThat(state(again)).isEqualTo(state(original));
      for (int i = 0; i < 12; i++) {
        Workload next =
            new Workload("v" + i, Resources.of("cpu", "0.6"), Set.of(), Set.of("g" + i % 3));
        assertThat(again.assign(List.of(next), AssignOption.EXPLAIN))
            .isEqualTo(original.assign(List.of(next), AssignOption.EXPLAIN));
      }
      assertThat(again.releaseAll()).isEqualTo(original.releaseAll());
      assertThat(state(again)).isEqualTo(state(original));
    }
  }
}
