package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {

  @Test
  void aWorkloadOfANameAndRequirementsHasNeitherImmunitiesNorAversions() {
    Workload workload = Workload.of("vm-1", Resources.of("cpu", "0.2", "flies", -5));

    assertThat(workload.immunities()).isEmpty();
    assertThat(workload.aversionGroups()).isEmpty();
    assertThat(workload).isEqualTo(Workload.of("vm-1", Map.of("cpu", 0.2, "flies", -5.0)));
    assertThat(workload)
        .hasToString(
            "Workload[name=vm-1, requirements={cpu: 0.2, flies: -5}, immunities=[],"
                + " aversionGroups=[]]");
  }

  @Test
  void variationsReplaceAndLeaveTheOriginalAlone() {
    Workload workload = Workload.of("vm-1", Resources.none());
    Workload immune = workload.withImmunities("spiders", "flies");

    assertThat(immune.immunities()).containsExactly("flies", "spiders");
    assertThat(immune.withImmunities("mice").immunities()).containsExactly("mice");
    assertThat(immune.withAversionGroups("io-bound").immunities())
        .containsExactly("flies", "spiders");
    assertThat(immune.withAversionGroups("io-bound").aversionGroups()).containsExactly("io-bound");
    assertThat(workload).isEqualTo(Workload.of("vm-1", Resources.none()));
  }

  @Nested
  class Sets {
    private final Set<String> given =
        new LinkedHashSet<>(List.of("\ud83d\ude00", "\uffff", "b", "a"));
    private final Workload workload = new Workload("vm-1", Resources.none(), given, given);

    @Test
    void areKeptInTheOrderOfNames() {
      assertThat(workload.immunities()).containsExactly("a", "b", "\uffff", "\ud83d\ude00");
      assertThat(workload.aversionGroups()).containsExactly("a", "b", "\uffff", "\ud83d\ude00");
    }

    @Test
    void areEqualToAnySetOfTheSameNames() {
      assertThat(workload.immunities()).isEqualTo(given).hasSameHashCodeAs(given);
      assertThat(workload.immunities()).contains("a", "b").doesNotContain("c", "");
      assertThat(workload.immunities().contains((Object) 5)).isFalse();
    }

    @Test
    void areCopiedAndCannotBeChanged() {
      given.clear();

      assertThat(workload.immunities()).hasSize(4);
      assertThatThrownBy(() -> workload.immunities().add("c"))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> workload.immunities().remove("a"))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> workload.immunities().clear())
          .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aRepeatedNameCountsOnce() {
      Workload workload = Workload.of("vm-1", Resources.none());

      assertThat(workload.withImmunities("a", "b", "a", "a").immunities())
          .containsExactly("a", "b");
      assertThat(
              Workload.fromMap(
                      Map.of(
                          "name", "x",
                          "requirements", Map.of(),
                          "immunities", List.of("b", "a", "b")))
                  .immunities())
          .containsExactly("a", "b");
    }
  }

  @Nested
  class Refusing {
    @ParameterizedTest
    @ValueSource(strings = {"inf", "-inf"})
    void anInfiniteRequirement(String infinite) {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Workload.of("vm-1", Resources.of("cpu", 1, "spiders", infinite)))
          .withMessage(
              "workload 'vm-1': requirements.spiders is %s; allowed: a finite decimal", infinite);
    }

    @Test
    void anEmptyOrIllFormedName() {
      Workload workload = Workload.of("vm-1", Resources.none());

      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Workload.of("", Resources.none()))
          .withMessage("workload: name is ''; allowed: a name of at least one character");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> workload.withImmunities("a", ""))
          .withMessage(
              "workload 'vm-1': immunities is ''; allowed: a name of at least one character");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> workload.withAversionGroups(""))
          .withMessageStartingWith("workload 'vm-1': aversionGroups is ''");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> new Workload("vm-1", Resources.none(), Set.of(), Set.of("\ud800")))
          .withMessageStartingWith("workload 'vm-1': aversionGroups is a text with the lone");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> new Workload("vm-1", Resources.none(), Set.of(""), Set.of()))
          .withMessageStartingWith("workload 'vm-1': immunities is ''");
    }
  }

  @Nested
  class FromAMap {
    @Test
    void everythingIsReadFromListsAndSetsAlike() {
      Workload expected =
          Workload.of("vm-1", Resources.of("cpu", "0.2"))
              .withImmunities("spiders")
              .withAversionGroups("io-bound");

      assertThat(
              Workload.fromMap(
                  Map.of(
                      "name", "vm-1",
                      "requirements", Map.of("cpu", 0.2),
                      "immunities", Set.of("spiders"),
                      "aversion_groups", List.of("io-bound"))))
          .isEqualTo(expected);
    }

    @Test
    void aListKeepsItsOrder() {
      assertThat(
              Workload.fromList(
                  List.of(
                      Map.of("name", "b", "requirements", Map.of()),
                      Map.of("name", "a", "requirements", Map.of()))))
          .extracting(Workload::name)
          .containsExactly("b", "a");
    }

    @Test
    void whatIsMissingUnknownOrOfAnotherTypeIsNamed() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Workload.fromMap(Map.of("name", "vm-1")))
          .withMessage(
              "workload 'vm-1': requirements is missing; allowed: a map from names to quantities");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Workload.fromMap(Map.of("name", "vm-1", "resources", Map.of())))
          .withMessage(
              "workload 'vm-1': key is 'resources'; allowed: one of name, requirements,"
                  + " immunities, aversion_groups");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(
              () ->
                  Workload.fromMap(
                      Map.of("name", "vm-1", "requirements", Map.of(), "immunities", "spiders")))
          .withMessage("workload 'vm-1': immunities is spiders; allowed: a collection");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(
              () ->
                  Workload.fromMap(
                      Map.of("name", "v", "requirements", Map.of(), "immunities", List.of(5))))
          .withMessage("workload 'v': immunities is [5]; allowed: a collection of texts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"immunities", "aversion_groups"})
    void ofSeveralWrongNamesTheFirstOneIsReported(String key) {
      List<String> names = new ArrayList<>(List.of("a\ud800", "b\ud801", "c\ud802", "d\ud803"));
      for (int i = 0; i < names.size(); i++) {
        String first = String.format("U+%04X", (int) names.get(0).charAt(1));
        assertThatExceptionOfType(InvalidInputException.class)
            .isThrownBy(
                () ->
                    Workload.fromMap(
                        Map.of("name", "v", "requirements", Map.of(), key, List.copyOf(names))))
            .withMessageContaining(first);
        Collections.rotate(names, 1);
      }
    }
  }
}
