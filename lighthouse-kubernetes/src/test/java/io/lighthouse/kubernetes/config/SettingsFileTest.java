package io.lighthouse.kubernetes.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.error.InvalidInputException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
            binding: {workers: 4, inFlight: 100, timeout: 1500ms, volumeTimeout: 2m}
            preemption: {enabled: false}
            podGroups: {enabled: true}
            queue: {firstPause: 2s, longestPause: 1m, listAgain: 1h}
            events: {perSecond: 5}
            monitor: {address: 0.0.0.0, port: 0}
            extender: {address: 0.0.0.0, port: 9000, timeout: 2s}
            """);
    assertThat(settings.first().schedulerName()).isEqualTo("batch.example.com");
    assertThat(settings.first().strategy().name()).isEqualTo("bin-pack");
    assertThat(settings.first().strategy().settings())
        .isEqualTo(Map.of("steps", "1000", "eager", "true"));
    assertThat(settings.first().strategy().rubric())
        .contains(Rubric.of(Map.of("cpu", "1", "memory", "0.5")));
    assertThat(settings.first().strategy().plugins()).contains(Path.of("/opt/plugins"));
    assertThat(settings.election())
        .isEqualTo(new SchedulerSettings.Election(true, "ops", "batch", Duration.ofSeconds(30)));
    assertThat(settings.binding())
        .isEqualTo(
            new SchedulerSettings.Binding(4, 100, Duration.ofMillis(1_500), Duration.ofMinutes(2)));
    assertThat(settings.preemption()).isFalse();
    assertThat(settings.podGroups()).isTrue();
    assertThat(settings.queue())
        .isEqualTo(
            new SchedulerSettings.Queue(
                Duration.ofSeconds(2), Duration.ofMinutes(1), Duration.ofHours(1)));
    assertThat(settings.eventsPerSecond()).isEqualTo(5);
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

  @Test
  void readsAProfileForEachSchedulerName() {
    SchedulerSettings settings =
        SettingsFile.read(
            "file",
            """
            profiles:
              lighthouse: {}
              packer:
                strategy: {name: bin-pack, rubric: {cpu: 1}}
                defaultSpread: {enabled: false}
                imageLocality: {enabled: false}
              racks.example.com:
                defaultSpread: {topologyKeys: [example.com/rack, kubernetes.io/hostname]}
            """);
    SchedulerSettings.Profile standard = SchedulerSettings.STANDARD.first();
    assertThat(settings.profiles())
        .containsExactly(
            standard,
            new SchedulerSettings.Profile(
                "packer",
                new SchedulerSettings.Strategy(
                    "bin-pack",
                    Map.of(),
                    Optional.of(Rubric.of(Map.of("cpu", "1"))),
                    Optional.empty()),
                List.of(),
                false),
            new SchedulerSettings.Profile(
                "racks.example.com",
                standard.strategy(),
                List.of("example.com/rack", "kubernetes.io/hostname"),
                standard.imageLocality()));
  }

  @Test
  void theOnlyProfileNeedsNoSection() {
    SchedulerSettings settings =
        SettingsFile.read(
            "file",
            "{schedulerName: a, defaultSpread: {enabled: false}, imageLocality: {enabled: false}}");
    assertThat(settings.profiles()).containsExactly(settings.first());
    assertThat(settings.first().schedulerName()).isEqualTo("a");
    assertThat(settings.first().defaultSpread()).isEmpty();
    assertThat(settings.first().imageLocality()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{name: LeastAllocated} | spread",
        "{name: MostAllocated} | bin-pack",
        "{name: RequestedToCapacityRatio, shape: [{utilization: 0, score: 0},"
            + " {utilization: 100, score: 10}]} | bin-pack",
        "{name: RequestedToCapacityRatio, shape: [{utilization: 0, score: 10},"
            + " {utilization: 60, score: 10}, {utilization: 100, score: 2}]} | spread"
      })
  void theStrategiesOfNodeResourcesFitHaveTheirPlaceHere(String strategy, String name) {
    SchedulerSettings.Strategy read =
        SettingsFile.read("file", "strategy: " + strategy).first().strategy();
    assertThat(read.name()).isEqualTo(name);
    assertThat(read.rubric().isPresent()).isEqualTo(name.equals("bin-pack"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nodes: 3 | file: nodes is not known; allowed: one of binding, defaultSpread, events, ext",
        "binding: {worker: 3} | inFlight, timeout, volumeTimeout, workers; did you mean workers?",
        "binding: {batch: 512} | file: binding.batch is not known; allowed: one of inFlight, time",
        "events: {burst: 5} | file: events.burst is not known; allowed: one of perSecond",
        "binding: {workers: 0} | file: binding.workers is '0'; allowed: a whole number from 1 to",
        "binding: {workers: many} | file: binding.workers is 'many'; allowed: a whole number",
        "binding: {timeout: 5} | file: binding.timeout is '5'; allowed: a number with ms, s, m or",
        "binding: {timeout: 15s} | binding.timeout is 15000ms; allowed: at most two thirds of"
            + " leaderElection.duration: 10000ms of 15000ms",
        "binding: 5 | file: binding is '5'; allowed: an object",
        "schedulerName: Big One | file: schedulerName is 'Big One'; allowed: at most 253 of a-z",
        "leaderElection: {enabled: 1} | leaderElection.enabled is '1'; allowed: true or false",
        "preemption: {enabled: never} | preemption.enabled is 'never'; allowed: true or false",
        "podGroups: {enabled: 1} | podGroups.enabled is '1'; allowed: true or false",
        "preemption: {on: true} | preemption.on is not known; allowed: one of enabled",
        "queue: {firstPause: 20s, longestPause: 1s} | queue.longestPause is '1s'; allowed: a num",
        "strategy: {rubric: {cpu: [1]}} | file: strategy.rubric.cpu is '[1]'; allowed: a text, a",
        "monitor: {port: 65536} | file: monitor.port is '65536'; allowed: a whole number from -1",
        "extender: {port: -1} | file: extender.port is '-1'; allowed: a whole number from 0 to",
        "profiles: {} | file: profiles is '{}'; allowed: an object with a profile for each sched",
        "profiles: [a] | file: profiles is '[a]'; allowed: an object with a profile for each sch",
        "profiles: {Big: {}} | file: profiles is 'Big'; allowed: names of schedulers, at most 25",
        "profiles: {a: 5} | file: profiles.a is '5'; allowed: an object",
        "profiles: {1: {nonsense: 1}} | file: profiles is '1'; allowed: names of schedulers, in q",
        "profiles: {true: {}} | file: profiles is 'true'; allowed: names of schedulers, in quotes",
        "profiles: {a: {strategie: 5}} | profiles.a.strategie is not known; allowed: one of def",
        "profiles: {a: {binding: {}}} | profiles.a.binding is not known; allowed: one of default",
        "profiles: {a: {strategy: {name: 5}}} | profiles.a.strategy.name is '5'; allowed: a text",
        "{profiles: {a: {}}, schedulerName: b} | schedulerName is 'b'; allowed: nothing beside p",
        "{profiles: {a: {}}, strategy: {}} | strategy is '{}'; allowed: nothing beside profiles",
        "defaultSpread: {topologyKeys: []} | defaultSpread.topologyKeys is '[]'; allowed: a list",
        "defaultSpread: {topologyKeys: zone} | defaultSpread.topologyKeys is 'zone'; allowed: a",
        "defaultSpread: {topologyKeys: [a, a]} | topologyKeys is '[a, a]'; allowed: a list of ke",
        "defaultSpread: {topologyKeys: [a b]} | topologyKeys is 'a b'; allowed: keys of labels,",
        "defaultSpread: {maxSkew: 3} | defaultSpread.maxSkew is not known; allowed: one of enabl",
        "imageLocality: {enabled: 1} | imageLocality.enabled is '1'; allowed: true or false",
        "strategy: {name: spread, shape: []} | strategy.shape is '[]'; allowed: nothing: only Re",
        "strategy: {name: RequestedToCapacityRatio} | strategy.shape is missing; allowed: a list",
        "strategy: {name: RequestedToCapacityRatio, shape: 5} | strategy.shape is '5'; allowed: a",
        "strategy: {name: RequestedToCapacityRatio, shape: [{utilization: 5}]} | strategy.shape",
        "strategy: {name: RequestedToCapacityRatio, shape: [{utilization: 0, score: 11}]} | stra"
            + "tegy.shape.score is '11'; allowed: a whole number from 0 to 10",
        "strategy: {name: RequestedToCapacityRatio, shape: [{utilization: 9, score: 1},"
            + " {utilization: 9, score: 2}]} | strategy.shape.utilization is '9'; allowed: a whole"
            + " number from 10 to 100",
        "strategy: {name: RequestedToCapacityRatio, shape: [{utilization: 0, score: 0},"
            + " {utilization: 50, score: 9}, {utilization: 100, score: 0}]} | allowed: scores that"
            + " only rise, or only fall; no strategy prefers a share in between",
        "[1] | file: the text is '[1]'; allowed: an object",
        "a: b: c | file: line 1 is no YAML: mapping values are not allowed here; allowed: YAML 1.2",
        "a: \"\\q\" | file: line 1 is no YAML: found unknown escape character q(113); allowed: "
      })
  void namesTheFieldTheValueAndWhatIsAllowed(String text, String message) {
    assertThatThrownBy(() -> SettingsFile.read("file", text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }

  @Test
  void saysThatAFileIsNotThere() {
    assertThatThrownBy(() -> SettingsFile.read(Path.of("not-there.yaml")))
        .hasMessageContaining("not-there.yaml: the file is not readable; allowed: a file that");
  }
}
