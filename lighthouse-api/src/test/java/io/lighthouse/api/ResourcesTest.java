package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ResourcesTest {

  @Nested
  class Making {
    @Test
    void namesAndQuantitiesInTurnAreKeptInTheOrderOfNames() {
      Resources resources = Resources.of("mem", "12.5", "cpu", 6, "spiders", "-inf");

      assertThat(resources).hasToString("{cpu: 6, mem: 12.5, spiders: -inf}");
      assertThat(resources.names()).containsExactly("cpu", "mem", "spiders");
      assertThat(resources.size()).isEqualTo(3);
      assertThat(resources.name(1)).isEqualTo("mem");
      assertThat(resources.quantity(1)).isEqualTo(Quantity.of("12.5"));
    }

    @Test
    void everyWayGivesEqualResources() {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("mem", 12.5);
      map.put("cpu", "6.0");
      Resources resources = Resources.of("cpu", 6, "mem", "12.50");

      assertThat(Resources.of(map)).isEqualTo(resources).hasSameHashCodeAs(resources);
      assertThat(
              Resources.of(
                  new String[] {"mem", "cpu"},
                  new Quantity[] {Quantity.of("12.5"), Quantity.of(6)}))
          .isEqualTo(resources);
      assertThat(Resources.of(resources.asMap())).isEqualTo(resources);
      assertThat(Resources.of("cpu", 6).with("mem", 12.5)).isEqualTo(resources);
    }

    @Test
    void differentNamesOrQuantitiesAreDifferentResources() {
      assertThat(Resources.of("cpu", 6))
          .isNotEqualTo(Resources.of("cpu", 7))
          .isNotEqualTo(Resources.of("mem", 6))
          .isNotEqualTo(Resources.none())
          .isNotEqualTo(Map.of("cpu", Quantity.of(6)));
    }

    @Test
    void noneIsEmpty() {
      assertThat(Resources.of()).isSameAs(Resources.none());
      assertThat(Resources.of(Map.of())).isEqualTo(Resources.none());
      assertThat(Resources.none().isEmpty()).isTrue();
      assertThat(Resources.none()).hasToString("{}");
    }

    @Test
    void namesAreOrderedByCodePoint() {
      assertThat(Resources.of("\uffff", 1, "\ud83d\ude00", 2).names())
          .containsExactly("\uffff", "\ud83d\ude00");
      assertThat(Resources.of("\ud83d\ude00", 2, "\uffff", 1).get("\ud83d\ude00"))
          .contains(Quantity.of(2));
    }
  }

  @Test
  void hashCodesTellResourcesApart() {
    assertThat(
            IntStream.range(0, 1000)
                .map(i -> Resources.of("cpu", 1, "mem", i).hashCode())
                .distinct())
        .hasSizeGreaterThan(900);
  }

  @Nested
  class Reading {
    private final Resources resources = Resources.of("cpu", 6, "nice-castle", 0, "flies", -5);

    @Test
    void zeroAndNegativeQuantitiesAreThere() {
      assertThat(resources.has("nice-castle")).isTrue();
      assertThat(resources.get("nice-castle")).contains(Quantity.ZERO);
      assertThat(resources.get("flies")).contains(Quantity.of(-5));
      assertThat(resources.has("gpu")).isFalse();
      assertThat(resources.get("gpu")).isEmpty();
      assertThat(resources.isEmpty()).isFalse();
    }

    @Test
    void whatIsHandedOutCannotBeChanged() {
      assertThatThrownBy(() -> resources.names().set(0, "x"))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> resources.asMap().put("x", Quantity.ONE))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(resources.with("cpu", 1)).isNotEqualTo(resources);
      assertThat(resources.get("cpu")).contains(Quantity.of(6));
    }

    @Test
    void arraysGivenAreCopied() {
      String[] names = {"cpu", "mem"};
      Quantity[] quantities = {Quantity.ONE, Quantity.ZERO};
      Resources made = Resources.of(names, quantities);
      names[0] = "changed";
      quantities[0] = Quantity.INFINITY;

      assertThat(made).isEqualTo(Resources.of("cpu", 1, "mem", 0));
    }

    @Test
    void anIndexThatIsNotThereIsAnError() {
      assertThatThrownBy(() -> resources.name(3)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> resources.quantity(-1))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Nested
  class Refusing {
    @Test
    void aNameGivenTwice() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Resources.of("cpu", 1, "mem", 1, "cpu", 2))
          .withMessage("resource 'cpu': name is given twice; allowed: each name once");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Resources.of("cpu", 1, "cpu", 1));
    }

    @Test
    void anEmptyOrIllFormedName() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Resources.of("", 1))
          .withMessage("resource: name is ''; allowed: a name of at least one character");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Resources.of(Map.of("\ud800", 1)))
          .withMessageContaining("U+D800");
    }

    @Test
    void whatIsNoQuantityWithTheNameOfItsResource() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Resources.of("cpu", "six"))
          .withMessageStartingWith("resource 'cpu': quantity is 'six'; allowed: a JSON number");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Resources.of(Map.of("cpu", Double.NaN)))
          .withMessageStartingWith("resource 'cpu': quantity is NaN");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Resources.of("cpu", null))
          .withMessageStartingWith("resource 'cpu': quantity is null");
    }

    @Test
    void anOddNumberOfArgumentsOrANameThatIsNoText() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Resources.of("cpu", 1, "mem"))
          .withMessage("resources: arguments is 3 values; allowed: names and quantities in turn");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Resources.of("cpu", 1, "disk", 2, 6, "mem"))
          .withMessage("resources: argument 4 is no text; allowed: the name of a resource");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Resources.of(new String[] {"cpu"}, new Quantity[0]))
          .withMessage("resources: quantities is 0 values; allowed: 1 value");
    }
  }
}
