package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Reads that leave a fleet unchanged: explanations, snapshots, copies. */
class ExplainingAndCopyingTest extends SmallFleets {
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
                  List.of(
                      new Reason.Insufficient(
                          "cpu", Quantity.of(1), Quantity.of(4), Quantity.of(3)))),
              new NodeVerdict(
                  "n2",
                  false,
                  List.of(
                      new Reason.Insufficient(
                          "cpu", Quantity.of(3), Quantity.of(4), Quantity.of(1)))));
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
      assertThat(snapshot).hasToString("snapshot of 2 nodes with 1 workload");
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
