package io.lighthouse.api.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static final List<Setting> DECLARED =
      List.of(
          new Setting("rounds", "how often, from 1 to 10", "3"),
          new Setting("keep-free", "what stays free", "0.5"),
          new Setting("strict", "whether to be strict", "false"));

  @Test
  void whatIsNotGivenHasItsDefault() {
    Settings settings = Settings.of(DECLARED, Map.of("rounds", "7"));

    assertThat(settings.text("rounds")).isEqualTo("7");
    assertThat(settings.text("keep-free")).isEqualTo("0.5");
    assertThat(settings.text("strict")).isEqualTo("false");
    assertThat(settings).hasToString("{keep-free=0.5, rounds=7, strict=false}");
  }

  @Test
  void anUnknownSettingIsRefusedWithThoseKnown() {
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> Settings.of(DECLARED, Map.of("round", "7")))
        .withMessage("settings: 'round' is '7'; allowed: the settings rounds, keep-free, strict");
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> Settings.of(List.of(), Map.of("round", "7")))
        .withMessage("settings: 'round' is '7'; allowed: no setting, the strategy has none");
  }

  @Test
  void anUnknownSettingIsRefusedWithItsStrategy() {
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> Settings.of("pack", DECLARED, Map.of("round", "7")))
        .withMessage(
            "settings: 'round' is '7'; allowed: the settings of strategy 'pack': rounds,"
                + " keep-free, strict");
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> Settings.of("first", List.of(), Map.of("round", "7")))
        .withMessage("settings: 'round' is '7'; allowed: no setting, strategy 'first' has none");
    assertThat(Settings.of("pack", DECLARED, Map.of("rounds", "7")).text("rounds")).isEqualTo("7");
  }

  @Test
  void aValueOfNullIsRefusedAtOnce() {
    Map<String, String> given = new HashMap<>();
    given.put("rounds", null);

    assertThatThrownBy(() -> Settings.of(DECLARED, given))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("rounds");
  }

  @Test
  void aNameOfNullIsRefusedAtOnce() {
    Map<String, String> given = new HashMap<>();
    given.put(null, "7");

    assertThatThrownBy(() -> Settings.of(DECLARED, given))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the name of a given setting");
    assertThatThrownBy(() -> Settings.of(List.of(new Setting(null, "none", "1")), Map.of()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the name of a declared setting");
  }

  @Test
  void askingForWhatIsNotDeclaredIsTheStrategysMistake() {
    Settings settings = Settings.of(DECLARED, Map.of());

    assertThatThrownBy(() -> settings.text("round"))
        .isInstanceOf(IllegalArgumentException.class)
        .isNotInstanceOf(InvalidInputException.class)
        .hasMessage("setting 'round' is not declared");
    assertThatThrownBy(() -> settings.integer("round", 0, 9))
        .isInstanceOf(IllegalArgumentException.class)
        .isNotInstanceOf(InvalidInputException.class);
  }

  @Nested
  class Typed {
    @ParameterizedTest
    @ValueSource(strings = {"1", "10", "5"})
    void wholeNumbersWithinTheirRangeAreTaken(String value) {
      assertThat(Settings.of(DECLARED, Map.of("rounds", value)).integer("rounds", 1, 10))
          .isEqualTo(Long.parseLong(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "11", "-3", "1.5", "", " 3", "three", "99999999999999999999"})
    void otherWholeNumbersAreRefused(String value) {
      Settings settings = Settings.of(DECLARED, Map.of("rounds", value));

      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> settings.integer("rounds", 1, 10))
          .withMessage("settings: rounds is '%s'; allowed: a whole number from 1 to 10", value);
    }

    @Test
    void quantitiesAreExact() {
      assertThat(Settings.of(DECLARED, Map.of()).quantity("keep-free")).isEqualTo(Quantity.of(0.5));
      Settings wrong = Settings.of(DECLARED, Map.of("keep-free", "half"));
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> wrong.quantity("keep-free"))
          .withMessageStartingWith("settings: keep-free is 'half'; allowed: a JSON number");
    }

    @Test
    void aFlagIsTrueOrFalse() {
      assertThat(Settings.of(DECLARED, Map.of()).flag("strict")).isFalse();
      assertThat(Settings.of(DECLARED, Map.of("strict", "true")).flag("strict")).isTrue();
      Settings wrong = Settings.of(DECLARED, Map.of("strict", "True"));
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> wrong.flag("strict"))
          .withMessage("settings: strict is 'True'; allowed: true or false");
    }
  }
}
