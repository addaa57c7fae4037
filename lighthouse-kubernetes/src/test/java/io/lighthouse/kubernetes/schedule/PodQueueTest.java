package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodQueueTest {
  private static final long SECOND = 1_000_000_000L;

  private final PodQueue queue = new PodQueue(Duration.ofSeconds(1), Duration.ofSeconds(10));

  private static WaitingPod pod(String uid, int priority, int age, String gang) {
    return new WaitingPod(
        uid,
        "default",
        "name-" + uid,
        "1",
        "lighthouse",
        priority,
        Instant.ofEpochSecond(1_000_000 - age),
        false,
        Optional.ofNullable(gang).map(name -> new WaitingPod.PodGroup(name, 2)));
  }

  private void add(String uid, int priority, int age) {
    queue.add(pod(uid, priority, age, null), false);
  }

  @Test
  void givesTheUrgentFirstAndThenTheOld() {
    add("a", 0, 1);
    add("b", 0, 5);
    add("c", 9, 0);
    assertThat(queue.take(2, 0)).containsExactly("c", "b");
    assertThat(queue.take(2, 0)).containsExactly("a");
    assertThat(queue.take(2, 0)).isEmpty();
    assertThat(queue.size()).isEqualTo(3);
  }

  @Test
  void triesTheRefusedAgainWhenSomethingMayHelpAndTheirPauseIsOver() {
    add("a", 0, 1);
    queue.take(1, 0);
    queue.refuse("a", 0);
    assertThat(queue.take(1, 100 * SECOND)).isEmpty();
    queue.wakeAll(SECOND / 2);
    assertThat(queue.take(1, SECOND / 2)).isEmpty();
    assertThat(queue.nextTime(SECOND / 2)).isEqualTo(SECOND);
    assertThat(queue.take(1, SECOND)).containsExactly("a");
  }

  @Test
  void waitsTwiceAsLongEachTimeUpToABound() {
    add("a", 0, 1);
    long now = 0;
    long[] pauses = {1, 2, 4, 8, 10, 10};
    for (long pause : pauses) {
      assertThat(queue.take(1, now)).containsExactly("a");
      queue.retry("a", now);
      assertThat(queue.nextTime(now)).isEqualTo(now + pause * SECOND);
      now += pause * SECOND;
    }
  }

  @Test
  void triesTheRefusedAnywayAfterAWhile() {
    add("a", 0, 1);
    queue.take(1, 0);
    queue.refuse("a", 0);
    long later = PodQueue.TRY_ANYWAY.toNanos();
    assertThat(queue.take(1, later - 1)).isEmpty();
    assertThat(queue.take(1, later)).containsExactly("a");
  }

  @Test
  void wakesByArrivalsOnlyThoseWhomTheyMayHelp() {
    queue.add(pod("a", 0, 2, null), false);
    queue.add(pod("b", 0, 1, null), true);
    queue.take(2, 0);
    queue.refuse("a", 0);
    queue.refuse("b", 0);
    queue.wakeHelpedByArrivals(5 * SECOND);
    assertThat(queue.take(2, 5 * SECOND)).containsExactly("b");
  }

  @Test
  void wakesWhoAsksForSomethingElseNow() {
    add("a", 0, 1);
    queue.changed("a", 1, 0);
    queue.take(1, 0);
    queue.refuse("a", 0);
    queue.changed("a", 1, 5 * SECOND);
    assertThat(queue.take(1, 5 * SECOND)).isEmpty();
    queue.changed("a", 2, 5 * SECOND);
    assertThat(queue.take(1, 5 * SECOND)).containsExactly("a");
  }

  @Test
  void takesAGangAsAWholeEvenBeyondTheNumber() {
    queue.add(pod("a", 5, 1, "g"), false);
    add("b", 3, 1);
    queue.add(pod("c", 0, 1, "g"), false);
    queue.take(9, 0);
    queue.refuse("a", 0);
    queue.refuse("c", 0);
    queue.retry("b", 0);
    queue.changed("a", 7, 20 * SECOND);
    assertThat(queue.take(1, 2 * SECOND)).containsExactly("a", "c");
  }

  @Test
  void forgetsWhoHasGone() {
    add("a", 0, 1);
    add("b", 0, 2);
    queue.take(1, 0);
    queue.refuse("b", 0);
    queue.remove("b");
    queue.remove("a");
    queue.remove("nobody");
    queue.wakeAll(0);
    assertThat(queue.size()).isZero();
    assertThat(queue.take(2, Long.MAX_VALUE)).isEmpty();
    assertThat(queue.nextTime(0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void followsANewPriority() {
    add("a", 0, 5);
    add("b", 1, 1);
    add("a", 7, 5);
    assertThat(queue.take(2, 0)).containsExactly("a", "b");
  }
}
