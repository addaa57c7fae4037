package io.lighthouse.kubernetes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a line of the log holds. */
class JsonLogTest {
  private final List<String> lines = new ArrayList<>();
  private final JsonLog log =
      new JsonLog(lines::add, Clock.fixed(Instant.parse("2026-11-29T06:00:00Z"), ZoneOffset.UTC));

  @Test
  void theFieldsOfAnEventComeInTheirOrder() {
    log.info("bound", "pod", "default/p", "micros", 7L);
    log.error("failed", new IllegalStateException("why"), "pod", "default/p");
    assertThat(lines)
        .containsExactly(
            "{\"time\":\"2026-11-29T06:00:00Z\",\"level\":\"info\",\"event\":\"bound\","
                + "\"pod\":\"default/p\",\"micros\":7}",
            "{\"time\":\"2026-11-29T06:00:00Z\",\"level\":\"error\",\"event\":\"failed\","
                + "\"pod\":\"default/p\",\"error\":\"java.lang.IllegalStateException: why\"}");
  }

  /** Half of a pair of surrogates is no character. */
  @Test
  void aLongValueEndsWithAWholeCharacter() {
    String smile = "\ud83d\ude00";
    log.info("long", "message", "x".repeat(1_999) + smile);
    log.info("long", "message", "x".repeat(1_998) + smile + "y");
    assertThat(lines.get(0)).endsWith(":\"" + "x".repeat(1_999) + "\"}");
    assertThat(lines.get(1)).endsWith(":\"" + "x".repeat(1_998) + smile + "\"}");
  }
}
