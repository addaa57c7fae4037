package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AssignmentsTest {
  private static final Refusal REFUSAL = new Refusal("vm-2", 2, List.of(), List.of());

  private final String[] workloads = {"vm-3", "vm-2", "vm-1"};
  private final String[] nodes = {"n1", null, "n2"};
  private final Assignments answer = Assignments.of(workloads, nodes, List.of(REFUSAL));

  @Nested
  class Reading {
    @Test
    void byIndexInTheOrderGiven() {
      assertThat(answer.size()).isEqualTo(3);
      assertThat(answer.workload(0)).isEqualTo("vm-3");
      assertThat(answer.node(0)).contains("n1");
      assertThat(answer.node(1)).isEmpty();
      assertThatThrownBy(() -> answer.node(3)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void byName() {
      assertThat(answer.nodeOf("vm-1")).contains("n2");
      assertThat(answer.nodeOf("vm-2")).isEmpty();
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> answer.nodeOf("vm-9"))
          .withMessage("assignments: workload is 'vm-9'; allowed: a workload of the batch");
    }

    @Test
    void asAMapInTheOrderGiven() {
      Map<String, Optional<String>> map = answer.asMap();

      assertThat(map.keySet()).containsExactly("vm-3", "vm-2", "vm-1");
      assertThat(map)
          .containsEntry("vm-3", Optional.of("n1"))
          .containsEntry("vm-2", Optional.empty());
      assertThatThrownBy(map::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void theCounts() {
      assertThat(answer.placedCount()).isEqualTo(2);
      assertThat(answer.refusedCount()).isEqualTo(1);
      assertThat(answer.refused()).containsExactly("vm-2");
      assertThat(answer.refusals()).containsExactly(REFUSAL);
      assertThat(answer.allPlaced()).isFalse();
      assertThat(Assignments.of(new String[0], new String[0], List.of()).allPlaced()).isTrue();
    }
  }

  @Test
  void whatWasGivenIsCopiedAndWhatIsHandedOutCannotBeChanged() {
    List<Refusal> refusals = new ArrayList<>(List.of(REFUSAL));
    Assignments made = Assignments.of(workloads, nodes, refusals);
    workloads[0] = "changed";
    nodes[0] = "changed";
    refusals.clear();

    assertThat(made).isEqualTo(answer).hasSameHashCodeAs(answer);
    assertThatThrownBy(() -> made.refusals().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> made.refused().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void answersThatDifferAreNotEqual() {
    assertThat(answer)
        .isNotEqualTo(Assignments.of(workloads, nodes, List.of()))
        .isNotEqualTo(Assignments.of(workloads, new String[3], List.of(REFUSAL)))
        .isNotEqualTo(Assignments.of(new String[] {"a", "b", "c"}, nodes, List.of(REFUSAL)));
  }

  @Test
  void theTextNamesThePlacementsAndOfManyTheFirstHundred() {
    assertThat(answer).hasToString("{vm-3: n1, vm-2: none, vm-1: n2}");
    assertThat(refusedAll(101).toString()).startsWith("{w0: none, ").endsWith(", w99: none, ...}");
    assertThat(refusedAll(100).toString()).endsWith(", w99: none}");
    assertThat(Assignments.of(new String[0], new String[0], List.of())).hasToString("{}");
  }

  @Test
  void hashCodesTellAnswersApart() {
    assertThat(IntStream.range(0, 100).map(i -> refusedAll(i).hashCode()).distinct())
        .hasSizeGreaterThan(90);
  }

  private static Assignments refusedAll(int count) {
    String[] names = IntStream.range(0, count).mapToObj(i -> "w" + i).toArray(String[]::new);
    return Assignments.of(names, new String[count], List.of());
  }

  @Test
  void arraysOfDifferentLengthsAreRefused() {
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> Assignments.of(workloads, new String[2], List.of()))
        .withMessage("assignments: nodes is 2 entries; allowed: 3 entries");
  }
}
