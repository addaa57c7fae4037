package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.scheduler.Fixtures;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a report says of one entry after another, and how it says it. */
class ReasonsTest {
  private final Cluster cluster = new Cluster();

  @Test
  void afterAReservationOnlyTheOpenNodesCount() {
    for (String name : List.of("a", "b")) {
      TestNode node = cluster.node(name);
      cluster.runs("r" + name, 50, node, vector(4, 0));
      cluster.offers(node.agent, vector(4, 0));
    }
    cluster.queue("first", 1, vector(8, 0));
    cluster.queue("second", 1, vector(8, 0));
    SchedulingReport report = cluster.pass();
    assertThat(report.queue().whyNot("first").orElseThrow().shortOn()).isEqualTo(Map.of("cpus", 2));
    assertThat(report.queue().whyNot("second").orElseThrow().shortOn())
        .isEqualTo(Map.of("cpus", 1));
  }

  @Test
  void aReportHasALineAndAFullForm() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.queue("large", 1, vector(9, 0));
    cluster.queue("e", 1, vector(1, 0));
    SchedulingReport report = cluster.pass();
    assertThat(report.summary())
        .isEqualTo("done: 1 launched task, 1 new execution, 1 not placed, 1 accepted offer");
    assertThat(report.text())
        .isEqualTo(
            NOW
                + " "
                + report.summary()
                + "\nplaced e on n\nnot placed large: resource too large cpus\n"
                + "launched on n: e/main/0\n");
    assertThat(new Cluster().pass().summary()).isEqualTo("done: nothing to do");
  }

  @Nested
  class DeclaredDifferences {
    @Test
    void aRequestOfNothingOfAnUnknownResourceIsMet() {
      // The original calls it invalid. docs/scheduling.md says why this does not.
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      cluster.queue("e", 1, vector(1, 0).with("unobtainium", 0));
      assertThat(cluster.pass().queue().placements()).hasSize(1);
    }

    @Test
    void whatWasCommittedStillCountsInReservationScores() {
      // In the original it is forgotten with the commit: the score is none before and 0 after.
      PendingExecution accepted = Fixtures.pending("a", 1, vector(6, 0));
      PendingExecution asked = Fixtures.pending("b", 1, vector(6, 0));
      SchedulingNode node =
          new SchedulingNode(
              "agent",
              new TestNode("n"),
              List.of(),
              List.of(),
              new NodeCapacity(vector(8, 0), vector(0, 0), vector(8, 0)));
      assertThat(node.acceptNewJobExe(accepted)).isTrue();
      assertThat(node.scoreJobExeForReservation(asked, List.of())).isEmpty();
      node.addScheduledJobExes(
          List.of(
              new RunningExecution(
                  new Placement(accepted, "n", "agent"), NOW, Step.main(accepted))));
      assertThat(node.scoreJobExeForReservation(asked, List.of())).isEmpty();
    }
  }

  @Nested
  class RoundRobin {
    private String placed(String id) {
      for (TestNode node : cluster.nodes) {
        cluster.offers(node.agent, vector(8, 0));
      }
      cluster.queue(id, 1, vector(1, 0));
      return cluster.pass().queue().placements().get(0).node();
    }

    @Test
    void goesOnBehindALastNodeThatIsGone() {
      cluster.policy =
          SchedulingPolicy.DEFAULT.withNodeChoice(
              NodeChoice.installed("round-robin", Map.of(), Optional.empty()));
      cluster.node("n0");
      TestNode middle = cluster.node("n1");
      cluster.node("n2");
      assertThat(placed("a")).isEqualTo("n0");
      assertThat(placed("b")).isEqualTo("n1");
      cluster.nodes.remove(middle);
      assertThat(placed("c")).isEqualTo("n2");
      assertThat(placed("d")).isEqualTo("n0");
      cluster.nodes.remove(0);
      assertThat(placed("e")).as("before the first, so from the first").isEqualTo("n2");
    }
  }
}
