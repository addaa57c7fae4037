package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each limit of the service stands in one place, and the documents say the same. */
class ServiceLimitTest {
  @ParameterizedTest
  @EnumSource
  void isDocumentedWithItsDefault(ServiceLimit limit) throws IOException {
    Path docs = Path.of(System.getProperty("lighthouse.root"), "docs");
    String tables =
        Files.readString(docs.resolve("http.md")) + Files.readString(docs.resolve("fleets.md"));
    assertThat(tables).contains("\n| `" + limit.option() + "` | " + limit.standardWords() + " |");
  }

  @ParameterizedTest
  @EnumSource
  void takesItsDefaultAsItIsTyped(ServiceLimit limit) {
    if (limit.standardWords().matches("[0-9]+[A-Za-z]*")) {
      assertThat(limit.parse(limit.standardWords())).isEqualTo(limit.standard());
    }
    assertThat(limit.require(limit.standard())).isEqualTo(limit.standard());
  }

  @ParameterizedTest
  @CsvSource({
    "BODY, 65536, 65536",
    "BODY, 64K, 65536",
    "BODY, 1g, 1073741824",
    "DECISION_TIMEOUT, 500ms, 500",
    "DECISION_TIMEOUT, 7s, 7000",
    "DECISION_TIMEOUT, 2m, 120000",
    "DECISION_TIMEOUT, 1h, 3600000",
    "DECISION_TIMEOUT, 1000000h, 3600000000000",
    "TURN, 12, 12",
    "NODES, 2147483647, 2147483647"
  })
  void readsSizesTimesAndNumbers(ServiceLimit limit, String text, long value) {
    assertThat(limit.parse(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "BODY, big, a size such as 65536",
    "BODY, 0, 1 or more",
    "TURN, 1K, a whole number from 1",
    "DEPTH, 1001, 1 to 1000",
    "NODES, 2147483648, 1 to 2147483647",
    "STOP_TIMEOUT, 7, a time such as 500ms",
    "STOP_TIMEOUT, fast, a time such as 500ms",
    "STOP_TIMEOUT, 0s, more than no time",
    "QUEUE_TIMEOUT, 1000001h, at most 1000000h"
  })
  void refusesWhatIsNoneOrOutOfRange(ServiceLimit limit, String text, String allowed) {
    assertThatThrownBy(() -> limit.parse(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(limit.option())
        .hasMessageContaining(allowed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PT2562047788015215H30M7S",
        "PT-2562047788015215H",
        "PT1000000H0.000000001S",
        "PT0S"
      })
  void refusesADurationThatIsOutOfRange(Duration time) {
    ServiceSettings settings = new ServiceSettings();
    assertThatThrownBy(() -> settings.limit(ServiceLimit.QUEUE_TIMEOUT, time))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(ServiceLimit.QUEUE_TIMEOUT.option())
        .hasMessageContaining("at most 1000000h");
    assertThatThrownBy(() -> settings.stepTimeout(time))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("at most 1000000h");
  }

  @Test
  void aTimeIsSetAsADuration() {
    ServiceSettings settings =
        new ServiceSettings().limit(ServiceLimit.QUEUE_TIMEOUT, Duration.ofSeconds(3));
    assertThat(settings.time(ServiceLimit.QUEUE_TIMEOUT)).hasSeconds(3);
  }
}
