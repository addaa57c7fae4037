package io.lighthouse.scheduler.choice;

import static io.lighthouse.scheduler.Fixtures.TYPES;
import static io.lighthouse.scheduler.Fixtures.capacity;
import static io.lighthouse.scheduler.Fixtures.pending;
import static io.lighthouse.scheduler.Fixtures.running;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScoringTest {
  private static final TestNode HOST = new TestNode("1");

  private static SchedulingNode node(
      Resources offered, Resources inUse, Resources watermark, RunningExecution... executions) {
    Task health = Task.node("h", "health", HOST.agent, vector("0.1", 32));
    return new SchedulingNode(
        HOST.agent,
        HOST,
        List.of(health),
        List.of(executions),
        capacity(offered, inUse, watermark));
  }

  private static OptionalInt score(int score) {
    return score < 0 ? OptionalInt.empty() : OptionalInt.of(score);
  }

  /** The same answer of the index as of the node. */
  private static void assertBoth(
      SchedulingNode node, Resources need, List<Resources> types, OptionalInt expected) {
    assertThat(node.scoreJobExeForScheduling(pending("e", 1, need), types)).isEqualTo(expected);
    FitIndex index = new FitIndex(List.of(node), types, List.of(need));
    assertThat(index.best(need, null) >= 0).isEqualTo(expected.isPresent());
  }

  @Nested
  class ForScheduling {
    @ParameterizedTest(name = "S{index}")
    @CsvSource({
      "8, 16384,  0, 0,      8, 16384,  1, 1024,    3",
      "8, 16384,  0, 0,      8, 16384,  8, 16384,   0",
      "3, 6144,   5, 10240,  8, 16384,  1, 1024,    2",
      "3, 6144,   5, 10240,  8, 16384,  2, 4096,    1",
      "3, 6144,   5, 10240,  8, 16384,  4, 8192,   -1",
      "4, 8192,   0, 0,      8, 16384,  4, 8192,    3",
      "4, 8192,   6, 0,      8, 16384,  4, 1024,    0",
    })
    void countsTheTypesThatStillFit(
        int cpus,
        int mem,
        int usedCpus,
        int usedMem,
        int allCpus,
        int allMem,
        int needCpus,
        int needMem,
        int expected) {
      SchedulingNode node =
          node(vector(cpus, mem), vector(usedCpus, usedMem), vector(allCpus, allMem));
      assertBoth(node, vector(needCpus, needMem), TYPES, score(expected));
    }

    @ParameterizedTest
    @CsvSource({"3, 6144, 5, 10240, 2", "8, 16384, 0, 0, 3"})
    void isTheSameForASystemTask(int cpus, int mem, int usedCpus, int usedMem, int expected) {
      SchedulingNode node = node(vector(cpus, mem), vector(usedCpus, usedMem), vector(8, 16384));
      Task task = Task.system("s", "update", vector("0.5", 512));
      assertThat(node.scoreSystemTaskForScheduling(task, TYPES)).isEqualTo(score(expected));
    }

    @Test
    void takesWhatWasAcceptedIntoAccount() {
      SchedulingNode node = node(vector(20, 100), vector(100, 500), vector(200, 700));
      node.acceptJobExeNextTask(running("r", 1, "1", vector(10, 50)), new ArrayList<>());
      List<Resources> types =
          List.of(vector(2, 10), vector(85, 109), vector(86, 10), vector(2, 111));
      assertBoth(node, vector(5, 40), types, OptionalInt.of(2));
    }

    @Test
    void isNothingWhereTheRestIsTooSmall() {
      SchedulingNode node = node(vector(20, 100), vector(100, 500), vector(200, 700));
      node.acceptJobExeNextTask(running("r", 1, "1", vector(10, 50)), new ArrayList<>());
      assertBoth(node, vector(15, 40), List.of(), OptionalInt.empty());
    }

    @Test
    void isZeroWithoutTypesAndCountsDuplicatesEach() {
      SchedulingNode node = node(vector(8, 16384), Resources.none(), vector(8, 16384));
      assertBoth(node, vector(1, 1024), List.of(), OptionalInt.of(0));
      List<Resources> twice = List.of(vector(1, 1024), vector(1, 1024));
      assertThat(node.scoreJobExeForScheduling(pending("e", 1, vector(1, 1024)), twice))
          .hasValue(2);
    }

    @Test
    void prefersTheNodeThatIsFilledBest() {
      SchedulingNode roomy = node(vector(8, 16384), Resources.none(), vector(8, 16384));
      SchedulingNode tight = node(vector(3, 6144), Resources.none(), vector(3, 6144));
      Resources need = vector(2, 4096);
      assertThat(roomy.scoreJobExeForScheduling(pending("e", 1, need), TYPES)).hasValue(3);
      assertThat(tight.scoreJobExeForScheduling(pending("e", 1, need), TYPES)).hasValue(1);
      FitIndex index = new FitIndex(List.of(roomy, tight), TYPES, List.of(need));
      assertThat(index.best(need, null)).isEqualTo(1);
    }
  }

  @Nested
  class ForReservation {
    private final SchedulingNode node =
        new SchedulingNode(
            HOST.agent,
            HOST,
            List.of(Task.system("s", "update", vector("0.5", 512)).on(HOST.agent)),
            List.of(
                running("a", 100, "1", vector(2, 2048)),
                running("b", 50, "1", vector(3, 4096)),
                running("c", 10, "1", vector(1, 1024))),
            capacity(Resources.none(), Resources.none(), vector(8, 16384)));

    @ParameterizedTest
    @CsvSource({
      "10,  1,   1024,   3",
      "10,  4,   8192,   2",
      "10,  6.5, 14848,  0",
      "10,  7,   1024,  -1",
      "50,  2,   4096,   1",
      "75,  2,   4096,   1",
      "50,  4,   8192,  -1",
      "75,  4,   8192,  -1",
      "100, 1,   1024,   0",
      "200, 1,   1024,   0",
      "100, 2,   4096,  -1",
      "200, 2,   4096,  -1",
    })
    void countsTheTypesThatWouldFitOnceLessImportantWorkHasEnded(
        int priority, String cpus, int mem, int expected) {
      Resources need = vector(cpus, mem);
      assertThat(node.scoreJobExeForReservation(pending("e", priority, need), TYPES))
          .isEqualTo(score(expected));
      FitIndex index = new FitIndex(List.of(node), TYPES, List.of(need));
      assertThat(index.bestToReserve(pending("e", priority, need), null))
          .isEqualTo(expected < 0 ? -1 : 0);
    }

    @Test
    void countsEquallyImportantWorkAcceptedInThisPass() {
      SchedulingNode loaded =
          node(
              vector(20, 100),
              Resources.none(),
              vector(200, 700),
              running("x", 1000, "1", vector(10, 50)),
              running("y", 100, "1", vector(56, 15)));
      loaded.acceptNewJobExe(pending("n1", 100, vector(8, 40)));
      loaded.acceptNewJobExe(pending("n2", 1000, vector(8, 40)));
      List<Resources> types =
          List.of(vector(2, 10), vector("5.5", 12), vector(6, 10), vector(2, 14));
      assertThat(loaded.availableFor(120)).isEqualTo(vector("135.9", 613));
      assertThat(loaded.scoreJobExeForReservation(pending("e", 120, vector(130, 600)), types))
          .hasValue(2);
      assertThat(
              loaded.scoreJobExeForReservation(
                  pending("e", 120, vector(140, 600)), List.of(vector(2, 10))))
          .isEmpty();
    }
  }
}
