package io.lighthouse.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What is news, of messages as they come; its own watches have a server that never answers. */
class ClusterFeedTest {
  private final List<String> news = new ArrayList<>();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final SchedulerMetrics metrics = new SchedulerMetrics();
  private boolean refuses;
  private ScriptedServer server;
  private ClusterFeed feed;

  @BeforeEach
  void start() throws IOException {
    server = new ScriptedServer();
    feed =
        new ClusterFeed(
            EnumSet.allOf(Resource.class),
            server.client(Duration.ofSeconds(20)),
            Duration.ofMinutes(30),
            event -> {},
            metrics,
            new JsonLog(log::add, Clock.systemUTC()),
            new ClusterFeed.Listener() {
              @Override
              public void changed(Resource resource, String key, JsonNode object, boolean isNew) {
                if (refuses) {
                  throw new IllegalArgumentException("refused");
                }
                if (key.equals("unreadable")) {
                  throw new InvalidInputException("pod", "spec", "7", "an object");
                }
                news.add(key + " is " + object.path("metadata").path("name").asString(""));
              }

              @Override
              public void gone(Resource resource, String key) {
                news.add(key + " has gone");
              }
            },
            (thread, cause) -> news.add(thread + " has ended: " + cause));
  }

  @AfterEach
  void stop() {
    feed.close();
    server.close();
  }

  /** A state of the pod with the uid u, whose name tells which. */
  private static JsonNode pod(String name, int version) {
    return Objects.json(
        "{'metadata':{'name':'%s','uid':'u','resourceVersion':'%d'}}", name, version);
  }

  private void list(boolean wentBack, JsonNode... pods) {
    feed.take(new WatchEvent.ListBegun(Resource.PODS, wentBack));
    for (JsonNode pod : pods) {
      seen(pod);
    }
    listEnded(Resource.PODS, "1000");
  }

  private void listEnded(Resource resource, String version) {
    feed.take(new WatchEvent.ListEnded(resource, version));
  }

  private void seen(JsonNode pod) {
    feed.take(new WatchEvent.Seen(Resource.PODS, pod));
  }

  @Test
  void aChangeThatIsKnownOrOlderIsNone() {
    list(false, pod("first", 9));
    seen(pod("same", 9));
    seen(pod("older", 8));
    feed.found(Resource.PODS, pod("older", 7));
    seen(pod("newer", 10));
    assertThat(news).containsExactly("u is first", "u is newer");
  }

  @Test
  void aCompleteListIsBelievedAlsoWhereVersionsWentBack() {
    list(false, pod("first", 200));
    list(false, pod("restored", 100));
    seen(pod("later", 101));
    list(false);
    assertThat(news).containsExactly("u is first", "u is restored", "u is later", "u has gone");
  }

  @Test
  void afterVersionsWentBackAnEqualVersionMayBeAnotherState() {
    list(false, pod("first", 100));
    list(false, pod("the same", 100));
    list(true, pod("another", 100));
    assertThat(news).containsExactly("u is first", "u is another");
  }

  @Test
  void whatWasCreatedHereCountsBeforeTheWatchShowsIt() {
    list(false);
    feed.created(Resource.PODS, pod("created", 9));
    seen(pod("older", 8));
    seen(pod("newer", 10));
    assertThat(news).containsExactly("u is created", "u is newer");
  }

  @Test
  void anAnswerToABindingDoesNotReviveAPodThatHasGone() {
    list(false, pod("first", 9));
    feed.take(new WatchEvent.Gone(Resource.PODS, pod("first", 10)));
    feed.found(Resource.PODS, pod("ghost", 9));
    assertThat(news).containsExactly("u is first", "u has gone");
    assertThat(feed.size(Resource.PODS)).isZero();
  }

  @Test
  void anAnswerToABindingDoesNotKeepAPodThatALaterListLacks() {
    list(false, pod("first", 9));
    feed.take(new WatchEvent.ListBegun(Resource.PODS, false));
    feed.found(Resource.PODS, pod("found", 10));
    listEnded(Resource.PODS, "11");
    assertThat(news).containsExactly("u is first", "u is found", "u has gone");
  }

  @Test
  void aListDoesNotTakeBackWhatTheServerAnsweredLater() {
    list(false, pod("first", 9));
    feed.take(new WatchEvent.ListBegun(Resource.PODS, false));
    feed.found(Resource.PODS, pod("written", 12));
    seen(pod("first", 9));
    listEnded(Resource.PODS, "11");
    seen(pod("later", 13));
    list(false);
    assertThat(news).containsExactly("u is first", "u is written", "u is later", "u has gone");
  }

  /** As a claim gets devices right after it was created. */
  @Test
  void aListThatIsOlderThanAChangeOfACreatedObjectDoesNotTakeItBack() {
    feed.take(new WatchEvent.ListBegun(Resource.PODS, false));
    feed.created(Resource.PODS, pod("created", 10));
    feed.found(Resource.PODS, pod("written", 12));
    seen(pod("created", 10));
    listEnded(Resource.PODS, "11");
    seen(pod("created", 10));
    assertThat(news).containsExactly("u is created", "u is written");
  }

  @Test
  void aListThatBeganBeforeAnObjectWasCreatedDoesNotRemoveIt() {
    feed.take(new WatchEvent.ListBegun(Resource.PODS, false));
    feed.created(Resource.PODS, pod("created", 12));
    listEnded(Resource.PODS, "11");
    assertThat(news).containsExactly("u is created");
    feed.take(new WatchEvent.Gone(Resource.PODS, pod("created", 13)));
    assertThat(news).containsExactly("u is created", "u has gone");
  }

  @Test
  void whereVersionsWentBackAListIsBelievedAgainstAnAnswerToo() {
    list(false, pod("first", 200));
    feed.take(new WatchEvent.ListBegun(Resource.PODS, false));
    feed.found(Resource.PODS, pod("written", 201));
    seen(pod("restored", 100));
    listEnded(Resource.PODS, "110");
    list(true, pod("restored", 100));
    assertThat(news).containsExactly("u is first", "u is written", "u is restored");
  }

  @ParameterizedTest
  @EnumSource(
      names = {"SERVICES", "REPLICATION_CONTROLLERS", "REPLICA_SETS", "STATEFUL_SETS", "CLAIMS"})
  void namesakesInTwoNamespacesAreTwoObjects(Resource resource) {
    for (String namespace : List.of("a", "b")) {
      feed.take(
          new WatchEvent.Seen(
              resource,
              Objects.json(
                  "{'metadata':{'namespace':'%s','name':'web','resourceVersion':'5'}}",
                  namespace)));
    }
    assertThat(news).containsExactly("a/web is web", "b/web is web");
    assertThat(feed.size(resource)).isEqualTo(2);
  }

  @Test
  void theClusterIsKnownOnceEveryResourceHasBeenListed() {
    int left = Resource.values().length;
    for (Resource resource : Resource.values()) {
      assertThat(feed.isSynced()).isFalse();
      assertThat(feed.take(new WatchEvent.ListBegun(resource, false))).isFalse();
      assertThat(feed.take(new WatchEvent.ListEnded(resource, "1"))).isEqualTo(--left == 0);
    }
    assertThat(feed.isSynced()).isTrue();
    assertThat(feed.take(new WatchEvent.ListBegun(Resource.PODS, false))).isFalse();
    assertThat(feed.take(new WatchEvent.ListEnded(Resource.PODS, "2"))).isFalse();
  }

  @Test
  void aStateThatWasNotTakenIsNotKnown() {
    refuses = true;
    assertThatThrownBy(() -> list(false, pod("first", 9))).hasMessage("refused");
    refuses = false;
    list(false, pod("again", 9));
    assertThat(news).containsExactly("u is again");
  }

  /** As the answer to a write, as what a watch brings, and in a list. */
  @Test
  void anObjectThatCannotBeReadIsLoggedAndTheOthersCount() {
    JsonNode unreadable =
        Objects.json(
            "{'metadata':{'name':'odd','uid':'unreadable','resourceVersion':'7'},'spec':7}");
    list(false, unreadable, pod("first", 9));
    seen(unreadable);
    feed.created(Resource.PODS, unreadable);
    list(false, pod("second", 10), unreadable);
    assertThat(news).containsExactly("u is first", "u is second");
    assertThat(feed.size(Resource.PODS)).isOne();
    assertThat(log.stream().filter(line -> line.contains("\"message-failed\"")))
        .hasSize(4)
        .allMatch(line -> line.contains("pods odd"));
    assertThat(metrics.failures.labelValues("message").get()).isEqualTo(4);
  }
}
