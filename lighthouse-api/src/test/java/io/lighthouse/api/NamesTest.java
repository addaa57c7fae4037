package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  /**
   * The last code point below the surrogates, the first two above them, and one beyond the basic
   * plane.
   */
  private static final List<String> ASCENDING =
      List.of(
          "",
          "A",
          "a",
          "a\u0000",
          "ab",
          "b",
          "\u00e9",
          "\ud7ff",
          "\ue000",
          "\uffff",
          "\ud800\udc00",
          "\ud83d\ude00",
          "\ud83d\ude01",
          "\udbff\udfff");

  @Nested
  class Order {
    @Test
    void isByCodePointAlsoBeyondTheBasicPlane() {
      List<String> sorted = new ArrayList<>(ASCENDING);
      java.util.Collections.reverse(sorted);
      sorted.sort(Names.order());

      assertThat(sorted).isEqualTo(ASCENDING);
    }

    @Test
    void differsFromTheOrderOfStringWhereSurrogatesMeetThePrivateUseArea() {
      assertThat("\uffff".compareTo("\ud83d\ude00")).isPositive();
      assertThat(Names.compare("\uffff", "\ud83d\ude00")).isNegative();
      assertThat(Names.compare("\ud83d\ude00", "\uffff")).isPositive();
    }

    @Test
    void isZeroOnlyForTheSameName() {
      for (String a : ASCENDING) {
        for (String b : ASCENDING) {
          assertThat(Names.compare(a, b) == 0).isEqualTo(a.equals(b));
        }
      }
    }
  }

  @Nested
  class Requiring {
    @ParameterizedTest
    @ValueSource(
        strings = {"n1", " ", "nice-castle", "\u0000", "\ud83d\ude00", "\ud83d\ude00x", "é"})
    void wellFormedNamesPassAsGiven(String name) {
      assertThat(Names.require(name, "node", "name")).isSameAs(name);
    }

    @Test
    void theEmptyNameIsRefused() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Names.require("", "node", "name"))
          .withMessage("node: name is ''; allowed: a name of at least one character");
    }

    @Test
    void loneSurrogatesAreRefusedWithTheirPlace() {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Names.require("ab\ud83d", "workload", "name"))
          .withMessage(
              "workload: name is a text with the lone surrogate U+D83D at index 2; allowed:"
                  + " well-formed Unicode");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Names.require("\ude00\ud83d", "workload", "name"))
          .withMessageContaining("U+DE00 at index 0");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Names.require("\ud83d\ud83d\ude00", "workload", "name"))
          .withMessageContaining("U+D83D at index 0");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Names.require("\ud83d\ude00\ude00", "workload", "name"))
          .withMessageContaining("U+DE00 at index 2");
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> Names.require("a\ud83db", "workload", "name"))
          .withMessageContaining("U+D83D at index 1");
    }

    @Test
    void nullIsAProgrammersMistake() {
      assertThatNullPointerException().isThrownBy(() -> Names.require(null, "node", "name"));
    }
  }
}
