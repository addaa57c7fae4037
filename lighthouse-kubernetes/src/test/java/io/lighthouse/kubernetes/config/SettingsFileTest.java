package io.lighthouse.kubernetes.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.error.InvalidInputException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsFileTest {
  @Test
  void readsEverySection() {
    SchedulerSettings settings =
        SettingsFile.read(
            "file",
            """
            schedulerName: batch.example.com
            strategy:
              name: bin-pack
              settings: {steps: 1000, eager: true}
              rubric: {cpu: 1, memory: 0.5}
              plugins: /opt/plugins
            leaderElection: {enabled: true, namespace: ops, name: batch, duration: 30s}
            binding: {workers: 4, inFlight: 100, batch: 50, timeout: 1500ms, volumeTimeout: 2m}
            preemption: {enabled: false}
            queue: {firstPause: 2s, longestPause: 1m, listAgain: 1h}
            events: {perSecond: 5, burst: 10}
            monitor: {address: 0.0.0.0, port: 0}
            extender: {address: 0.0.0.0, port: 9000, timeout: 2s}
            """);
    assertThat(settings.schedulerName()).isEqualTo("batch.example.com");
    assertThat(settings.strategy().name()).isEqualTo("bin-pack");
    assertThat(settings.strategy().settings()).isEqualTo(Map.of("steps", "1000", "eager", "true"));
    assertThat(settings.strategy().rubric())
        .contains(Rubric.of(Map.of("cpu", "1", "memory", "0.5")));
    assertThat(settings.strategy().plugins()).contains(Path.of("/opt/plugins"));
    assertThat(settings.election())
        .isEqualTo(new SchedulerSettings.Election(true, "ops", "batch", Duration.ofSeconds(30)));
    assertThat(settings.binding())
        .isEqualTo(
            new SchedulerSettings.Binding(
                4, 100, 50, Duration.ofMillis(1_500), Duration.ofMinutes(2)));
    assertThat(settings.preemption()).isEqualTo(new SchedulerSettings.Preemption(false));
    assertThat(settings.queue())
        .isEqualTo(
            new SchedulerSettings.Queue(
                Duration.ofSeconds(2), Duration.ofMinutes(1), Duration.ofHours(1)));
    assertThat(settings.events()).isEqualTo(new SchedulerSettings.Events(5, 10));
    assertThat(settings.monitor()).isEqualTo(new SchedulerSettings.Monitor("0.0.0.0", 0));
    assertThat(settings.extender())
        .isEqualTo(new SchedulerSettings.Extender("0.0.0.0", 9000, Duration.ofSeconds(2)));
  }

  @Test
  void isStandardWhereNothingIsSaid() {
    assertThat(SettingsFile.read("file", "")).isEqualTo(SchedulerSettings.STANDARD);
    assertThat(SettingsFile.read("file", "{\"binding\": {}}"))
        .isEqualTo(SchedulerSettings.STANDARD);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nodes: 3 | file: nodes is not known; allowed: one of binding, events, extender, lead",
        "binding: {worker: 3} | inFlight, timeout, volumeTimeout, workers; did you mean workers?",
        "binding: {workers: 0} | file: binding.workers is '0'; allowed: a whole number from 1 to",
        "binding: {workers: many} | file: binding.workers is 'many'; allowed: a whole number",
        "binding: {timeout: 5} | file: binding.timeout is '5'; allowed: a number with ms, s, m or",
        "binding: {timeout: 15s} | binding.timeout is 15000ms; allowed: at most two thirds of",
        "binding: 5 | file: binding is '5'; allowed: an object",
        "schedulerName: Big One | file: schedulerName is 'Big One'; allowed: at most 253 of a-z",
        "leaderElection: {enabled: 1} | leaderElection.enabled is '1'; allowed: true or false",
        "preemption: {enabled: never} | preemption.enabled is 'never'; allowed: true or false",
        "preemption: {on: true} | preemption.on is not known; allowed: one of enabled",
        "queue: {firstPause: 20s, longestPause: 1s} | queue.longestPause is '1s'; allowed: a num",
        "strategy: {rubric: {cpu: [1]}} | file: strategy.rubric.cpu is '[1]'; allowed: a text, a",
        "monitor: {port: 65536} | file: monitor.port is '65536'; allowed: a whole number from -1",
        "extender: {port: -1} | file: extender.port is '-1'; allowed: a whole number from 0 to",
        "[1] | file: the text is '[1]'; allowed: an object",
        "a: b: c | file: the text is no YAML; allowed: "
      })
  void namesTheFieldTheValueAndWhatIsAllowed(String text, String message) {
    assertThatThrownBy(() -> SettingsFile.read("file", text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }

  @Test
  void saysThatAFileIsNotThere() {
    assertThatThrownBy(() -> SettingsFile.read(Path.of("not-there.yaml")))
        .hasMessageContaining("'not-there.yaml'");
  }
}
