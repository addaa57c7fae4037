package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.ClusterChange;
import io.lighthouse.kubernetes.cluster.decide.Filter;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PodQueueTest {
  private static final long SECOND = 1_000_000_000L;

  private static final Set<Filter> FULL = Set.of(Filter.NODE_RESOURCES_FIT);
  private static final Set<ClusterChange> LEFT = Set.of(ClusterChange.POD_LEFT);

  private final PodQueue queue =
      new PodQueue(Duration.ofSeconds(1), Duration.ofSeconds(10), WaitingPod::groupKey);

  private static WaitingPod pod(String uid, int priority, int age, String gang) {
    return new WaitingPod(
        uid,
        "default",
        "name-" + uid,
        "1",
        1,
        "lighthouse",
        priority,
        Instant.ofEpochSecond(1_000_000 - age),
        false,
        false,
        Optional.ofNullable(gang).map(name -> new WaitingPod.PodGroup(name, 2, false)));
  }

  /** Takes all pods that may be tried now. */
  private List<String> takeAll(long now) {
    List<String> all = new ArrayList<>();
    List<String> next = queue.take(now);
    while (!next.isEmpty()) {
      all.addAll(next);
      next = queue.take(now);
    }
    return all;
  }

  private void add(String uid, int priority, int age) {
    queue.add(pod(uid, priority, age, null), true);
  }

  @Test
  void givesTheUrgentFirstAndThenTheOld() {
    add("a", 0, 1);
    add("b", 0, 5);
    add("c", 9, 0);
    assertThat(queue.take(0)).containsExactly("c");
    assertThat(queue.take(0)).containsExactly("b");
    assertThat(queue.take(0)).containsExactly("a");
    assertThat(queue.take(0)).isEmpty();
    assertThat(queue.size()).isEqualTo(3);
  }

  @Test
  void triesTheRefusedAgainWhenSomethingMayHelpAndTheirPauseIsOver() {
    add("a", 0, 1);
    queue.take(0);
    queue.refuse("a", FULL, 0);
    assertThat(queue.take(100 * SECOND)).isEmpty();
    queue.wake(LEFT, SECOND / 2);
    assertThat(queue.take(SECOND / 2)).isEmpty();
    assertThat(queue.nextTime(SECOND / 2)).isEqualTo(SECOND);
    assertThat(queue.take(SECOND)).containsExactly("a");
  }

  @Test
  void waitsTwiceAsLongEachTimeUpToABound() {
    add("a", 0, 1);
    long now = 0;
    long[] pauses = {1, 2, 4, 8, 10, 10};
    for (long pause : pauses) {
      assertThat(queue.take(now)).containsExactly("a");
      queue.retry("a", now);
      assertThat(queue.nextTime(now)).isEqualTo(now + pause * SECOND);
      now += pause * SECOND;
    }
  }

  @Test
  void triesTheRefusedAnywayAfterAWhile() {
    add("a", 0, 1);
    queue.take(0);
    queue.refuse("a", FULL, 0);
    long later = PodQueue.TRY_ANYWAY.toNanos();
    assertThat(queue.take(later - 1)).isEmpty();
    assertThat(queue.take(later)).containsExactly("a");
  }

  @Test
  void wakesOnlyThoseWhomAChangeMayHelp() {
    add("a", 0, 3);
    add("b", 0, 2);
    add("c", 0, 1);
    takeAll(0);
    queue.refuse("a", FULL, 0);
    queue.refuse("b", Set.of(Filter.NODE_AFFINITY, Filter.POD_AFFINITY), 0);
    queue.refuse("c", Set.of(), 0);
    queue.wake(Set.of(), 5 * SECOND);
    queue.wake(Set.of(ClusterChange.NAMESPACE_LABELS), 5 * SECOND);
    assertThat(takeAll(5 * SECOND)).containsExactly("b");
    queue.wake(LEFT, 5 * SECOND);
    assertThat(takeAll(5 * SECOND)).containsExactly("a");
    assertThat(takeAll(PodQueue.TRY_ANYWAY.toNanos())).containsExactly("c");
  }

  @Test
  void forgetsWhatRefusedAPodBefore() {
    add("a", 0, 1);
    queue.take(0);
    queue.refuse("a", FULL, 0);
    queue.wake(LEFT, 5 * SECOND);
    queue.take(5 * SECOND);
    queue.refuse("a", Set.of(Filter.TAINT_TOLERATION), 5 * SECOND);
    queue.wake(LEFT, 20 * SECOND);
    assertThat(queue.take(20 * SECOND)).isEmpty();
  }

  @Test
  void takesListedPodsByAgeAndLaterOnesAsTheyCame() {
    queue.add(pod("z", 0, 1, null), true);
    queue.add(pod("y", 0, 5, null), true);
    queue.add(pod("x", 0, 5, null), true);
    queue.add(pod("w", 0, 3, null), false);
    queue.add(pod("v", 0, 9, null), false);
    queue.add(pod("u", 1, 0, null), false);
    assertThat(takeAll(0)).containsExactly("u", "y", "x", "z", "w", "v");
  }

  @Test
  void wakesWhoAsksForSomethingElseNow() {
    add("a", 0, 1);
    queue.changed("a", 1, 0);
    queue.take(0);
    queue.refuse("a", FULL, 0);
    queue.changed("a", 1, 5 * SECOND);
    assertThat(queue.take(5 * SECOND)).isEmpty();
    queue.changed("a", 2, 5 * SECOND);
    assertThat(queue.take(5 * SECOND)).containsExactly("a");
  }

  @Test
  void takesAGangAsAWhole() {
    queue.add(pod("a", 5, 1, "g"), false);
    add("b", 3, 1);
    queue.add(pod("c", 0, 1, "g"), false);
    takeAll(0);
    queue.refuse("a", FULL, 0);
    queue.refuse("c", FULL, 0);
    queue.retry("b", 0);
    queue.changed("a", 7, 20 * SECOND);
    assertThat(queue.take(2 * SECOND)).containsExactly("a", "c");
  }

  @Test
  void takesWithAGangOnlyThoseThatNameItNow() {
    queue.add(pod("a", 5, 1, "g"), false);
    queue.add(pod("b", 0, 1, "g"), false);
    queue.add(pod("c", 0, 1, "g"), false);
    queue.add(pod("d", 0, 1, "h"), false);
    queue.add(pod("b", 0, 1, "h"), false);
    queue.add(pod("d", 0, 1, "g"), false);
    queue.remove("c");
    assertThat(queue.take(0)).containsExactlyInAnyOrder("a", "d");
    assertThat(queue.take(0)).containsExactly("b");
  }

  @Test
  void aPodThatIsUpdatedKeepsItsPlaceInItsGang() {
    queue.add(pod("a", 5, 1, "g"), false);
    queue.add(pod("b", 0, 1, "g"), false);
    queue.add(pod("c", 0, 1, "g"), false);
    queue.add(pod("b", 0, 1, "g"), false);
    assertThat(queue.take(0)).containsExactly("a", "b", "c");
  }

  @Test
  void forgetsWhoHasGone() {
    add("a", 0, 1);
    add("b", 0, 2);
    queue.take(0);
    queue.refuse("b", FULL, 0);
    queue.remove("b");
    queue.remove("a");
    queue.remove("nobody");
    queue.wake(LEFT, 0);
    assertThat(queue.size()).isZero();
    assertThat(takeAll(Long.MAX_VALUE)).isEmpty();
    assertThat(queue.nextTime(0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void followsANewPriority() {
    add("a", 0, 5);
    add("b", 1, 1);
    add("a", 7, 5);
    assertThat(takeAll(0)).containsExactly("a", "b");
  }
}
