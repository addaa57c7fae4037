package io.lighthouse.scheduler.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class OfferBookTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final OfferBook book = new OfferBook();
  private int offers;

  private static Resources vector(int cpus, int mem) {
    return Resources.of("cpus", cpus, "mem", mem);
  }

  private ResourceOffer offer(Resources resources, Instant received) {
    ResourceOffer offer =
        new ResourceOffer("o" + offers++, "agent", "session", resources, received);
    book.offer(List.of(offer));
    return offer;
  }

  private NodeCapacity refresh(Instant when, Resources... used) {
    List<Task> tasks = new ArrayList<>();
    for (Resources each : used) {
      tasks.add(Task.node("t" + tasks.size(), "t", "agent", each));
    }
    return book.refresh("session", tasks, when).getOrDefault("agent", NodeCapacity.NONE);
  }

  private List<ResourceOffer> allocate(Resources wanted, Instant when) {
    return book.allocate(Map.of("agent", wanted), when).getOrDefault("agent", List.of());
  }

  @Test
  void knowsNoTotalOfAnAgentWithoutAName() {
    assertThatThrownBy(() -> book.total("", vector(1, 0)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("agent");
    assertThat(book.clusterTotal()).isEqualTo(Resources.none());
  }

  @Test
  void keepsAnOfferOfANewSessionWhoseIdTheOldOneHad() {
    ResourceOffer old = new ResourceOffer("o", "agent", "session", vector(1, 0), NOW);
    ResourceOffer filed = new ResourceOffer("p", "agent", "session", vector(1, 0), NOW);
    book.offer(List.of(filed));
    book.refresh("session", List.of(), NOW);
    book.offer(List.of(old));
    List<ResourceOffer> renewed =
        List.of(
            new ResourceOffer("o", "agent", "next", vector(2, 0), NOW),
            new ResourceOffer("p", "agent", "next", vector(2, 0), NOW));
    book.offer(renewed);
    assertThat(book.refresh("next", List.of(), NOW).get("agent").offered()).isEqualTo(vector(4, 0));
    // Late ones of the session that was left replace nothing.
    book.offer(List.of(old, filed));
    assertThat(book.takeUnallocated()).containsExactlyElementsOf(renewed);
  }

  @Test
  void aLateOfferReplacesNoneOfASessionThatHasBegunSince() {
    ResourceOffer late = new ResourceOffer("o", "agent", "session", vector(1, 0), NOW);
    ResourceOffer next = new ResourceOffer("o", "agent", "next", vector(2, 0), NOW);
    book.refresh("session", List.of(), NOW);
    book.offer(List.of(next));
    book.offer(List.of(late));
    book.refresh("next", List.of(), NOW);
    assertThat(book.takeUnallocated()).containsExactly(next);
    // One of the present session replaces a late one.
    book.offer(List.of(late));
    book.offer(List.of(next));
    book.refresh("next", List.of(), NOW);
    assertThat(book.takeUnallocated()).containsExactly(next);
  }

  @Test
  void anOfferOfASessionThatNoPassSawHoldsUpNoneOfThePresentOne() {
    ResourceOffer skipped = new ResourceOffer("o", "agent", "skipped", vector(1, 0), NOW);
    ResourceOffer third = new ResourceOffer("o", "agent", "third", vector(2, 0), NOW);
    book.refresh("session", List.of(), NOW);
    book.offer(List.of(skipped));
    book.refresh("third", List.of(), NOW);
    book.offer(List.of(third));
    book.refresh("third", List.of(), NOW);
    assertThat(book.takeUnallocated()).containsExactly(third);
  }

  @Test
  void offersOfASessionThatNoPassSawTakeNoRoom() {
    OfferBook small = new OfferBook(1);
    small.refresh("session", List.of(), NOW);
    small.offer(List.of(new ResourceOffer("o", "agent", "skipped", vector(1, 0), NOW)));
    small.refresh("session", List.of(), NOW);
    small.refresh("third", List.of(), NOW);
    ResourceOffer third = new ResourceOffer("p", "agent", "third", vector(2, 0), NOW);
    assertThat(small.offer(List.of(third))).isEmpty();
    small.refresh("third", List.of(), NOW);
    assertThat(small.takeUnallocated()).containsExactly(third);
    // A late one of the session that no pass saw is void.
    small.offer(List.of(new ResourceOffer("q", "agent", "skipped", vector(1, 0), NOW)));
    small.refresh("third", List.of(), NOW);
    assertThat(small.clearOffers()).isZero();
  }

  @Test
  void offersOfASessionThatEndedBetweenTwoPassesTakeNoRoomInTheNext() {
    OfferBook small = new OfferBook(1);
    small.refresh("a", List.of(), NOW);
    small.offer(List.of(new ResourceOffer("o", "agent", "b", vector(1, 0), NOW)));
    small.refresh("c", List.of(), NOW);
    small.refresh("c", List.of(), NOW);
    ResourceOffer present = new ResourceOffer("p", "agent", "c", vector(2, 0), NOW);
    assertThat(small.offer(List.of(present))).isEmpty();
    small.refresh("c", List.of(), NOW);
    assertThat(small.takeUnallocated()).containsExactly(present);
  }

  @Test
  void followsTheWorkedExample() {
    offer(vector(8, 8192), NOW);
    NodeCapacity first = refresh(NOW);
    assertThat(first.offered()).isEqualTo(vector(8, 8192));
    assertThat(first.watermark()).isEqualTo(vector(8, 8192));
    assertThat(allocate(vector(10, 1), NOW)).isEmpty();
    assertThat(allocate(vector(2, 1), NOW)).hasSize(1);

    NodeCapacity running = refresh(NOW, vector(2, 2048));
    assertThat(running.offered()).isEqualTo(Resources.none());
    assertThat(running.inUse()).isEqualTo(vector(2, 2048));
    assertThat(running.watermark()).isEqualTo(vector(8, 8192));

    offer(vector(6, 6144), NOW);
    assertThat(refresh(NOW, vector(2, 2048)).watermark()).isEqualTo(vector(8, 8192));

    offer(vector(2, 2048), NOW);
    assertThat(refresh(NOW, vector(2, 2048)).watermark()).isEqualTo(vector(10, 10240));
    book.total("agent", vector(8, 8192));
    NodeCapacity capped = refresh(NOW, vector(2, 2048));
    assertThat(capped.watermark()).isEqualTo(vector(8, 8192));
    assertThat(capped.offered()).isEqualTo(vector(6, 6144));

    book.takeUnallocated();
    refresh(NOW.plusSeconds(301), vector(2, 2048));
    refresh(NOW.plusSeconds(602), vector(2, 2048));
    assertThat(refresh(NOW.plusSeconds(603), vector(2, 2048)).watermark())
        .isEqualTo(vector(2, 2048));
  }

  @Nested
  class Watermark {
    @Test
    void remembersAPeakForFiveToTenMinutes() {
      offer(vector(8, 0), NOW.minusSeconds(1));
      refresh(NOW);
      book.takeUnallocated();
      assertThat(refresh(NOW.plusSeconds(300)).watermark()).isEqualTo(vector(8, 0));
      assertThat(refresh(NOW.plusSeconds(301)).watermark()).isEqualTo(vector(8, 0));
      assertThat(refresh(NOW.plusSeconds(601)).watermark()).isEqualTo(vector(8, 0));
      assertThat(refresh(NOW.plusSeconds(602)).watermark()).isEqualTo(vector(8, 0));
      assertThat(refresh(NOW.plusSeconds(603)).watermark()).isEqualTo(Resources.none());
    }

    @Test
    void isForgottenWithTheAgent() {
      offer(vector(8, 0), NOW);
      refresh(NOW);
      book.agentLost("agent");
      assertThat(book.refresh("session", List.of(), NOW)).isEmpty();
      assertThat(book.takeUnallocated()).isEmpty();
      assertThat(book.clusterTotal()).isEqualTo(Resources.none());
    }
  }

  @Nested
  class Allocating {
    @Test
    void takesTheOldestUntilTheyCover() {
      ResourceOffer first = offer(vector(1, 0), NOW.minusSeconds(3));
      ResourceOffer second = offer(vector(1, 0), NOW.minusSeconds(2));
      offer(vector(1, 0), NOW.minusSeconds(1));
      refresh(NOW);
      assertThat(allocate(vector(2, 0), NOW)).containsExactly(first, second);
    }

    @Test
    void takesWhatWasHeldForTenSecondsAlsoUnasked() {
      ResourceOffer old = offer(vector(1, 0), NOW.minusSeconds(10));
      ResourceOffer young = offer(vector(1, 0), NOW.minusSeconds(9));
      refresh(NOW);
      assertThat(book.allocate(Map.of(), NOW)).containsEntry("agent", List.of(old));
      assertThat(book.takeUnallocated()).containsExactly(young);
    }

    @Test
    void givesAnAgentThatStartsSomethingAtLeastOneOffer() {
      offer(vector(1, 0), NOW);
      refresh(NOW);
      assertThat(allocate(Resources.none(), NOW)).hasSize(1);
    }

    @Test
    void ofMoreThanThereIsTakesOnlyWhatIsOld() {
      ResourceOffer old = offer(vector(1, 0), NOW.minusSeconds(60));
      offer(vector(1, 0), NOW);
      refresh(NOW);
      assertThat(allocate(vector(3, 0), NOW)).containsExactly(old);
    }
  }

  @Nested
  class Offers {
    @Test
    void countOnlyFromTheNextRefresh() {
      refresh(NOW);
      offer(vector(1, 0), NOW);
      assertThat(book.takeUnallocated()).isEmpty();
      assertThat(refresh(NOW).offered()).isEqualTo(vector(1, 0));
    }

    @Test
    void canBeRescindedBeforeAndAfterTheyAreFiled() {
      ResourceOffer unfiled = offer(vector(1, 0), NOW);
      book.rescind(Set.of(unfiled.id(), "unknown"));
      assertThat(refresh(NOW).offered()).isEqualTo(Resources.none());
      ResourceOffer filed = offer(vector(2, 0), NOW);
      refresh(NOW);
      book.rescind(List.of(filed.id()));
      assertThat(book.takeUnallocated()).isEmpty();
    }

    @Test
    void ofAKnownIdAreIgnored() {
      ResourceOffer offer = offer(vector(1, 0), NOW);
      refresh(NOW);
      book.offer(List.of(offer));
      assertThat(refresh(NOW).offered()).isEqualTo(vector(1, 0));
    }

    @Test
    void beyondTheBoundAreHandedBack() {
      OfferBook small = new OfferBook(1);
      ResourceOffer first = new ResourceOffer("a", "agent", "session", vector(1, 0), NOW);
      ResourceOffer second = new ResourceOffer("b", "agent", "session", vector(1, 0), NOW);
      assertThat(small.offer(List.of(first, second))).containsExactly(second);
      assertThat(small.clearOffers()).isEqualTo(1);
      assertThat(small.offer(List.of(second))).isEmpty();
      assertThatThrownBy(() -> new OfferBook(0)).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void comeOutOnceWhateverTheThreadsDo() throws InterruptedException {
      Set<String> out = ConcurrentHashMap.newKeySet();
      List<String> twice = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        int thread = t;
        threads.add(
            new Thread(
                () -> {
                  for (int i = 0; i < 300; i++) {
                    String id = thread + "/" + i;
                    book.offer(
                        List.of(new ResourceOffer(id, "agent", "session", vector(1, 0), NOW)));
                    book.rescind(List.of("0/" + i));
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (int pass = 0; pass < 200; pass++) {
        book.refresh("session", List.of(), NOW);
        List<ResourceOffer> taken = new ArrayList<>(allocate(vector(1, 0), NOW));
        taken.addAll(book.takeUnallocated());
        taken.forEach(
            offer -> {
              if (!out.add(offer.id())) {
                twice.add(offer.id());
              }
            });
      }
      for (Thread thread : threads) {
        thread.join();
      }
      book.refresh("session", List.of(), NOW);
      book.takeUnallocated().forEach(offer -> out.add(offer.id()));
      assertThat(twice).isEmpty();
      for (int i = 0; i < 300; i++) {
        assertThat(out).contains("1/" + i, "2/" + i);
      }
    }
  }

  @Nested
  class FullVisibility {
    private final FullVisibilityBook full = new FullVisibilityBook();

    @Test
    void offersWhatIsNotInUse() {
      full.allocatable("agent", vector(8, 8192));
      NodeCapacity capacity =
          full.refresh("session", List.of(Task.node("t", "t", "agent", vector(2, 2048))), NOW)
              .get("agent");
      assertThat(capacity.offered()).isEqualTo(vector(6, 6144));
      assertThat(capacity.inUse()).isEqualTo(vector(2, 2048));
      assertThat(capacity.watermark()).isEqualTo(vector(8, 8192));
      ResourceOffer made = full.allocate(Map.of("agent", vector(6, 1)), NOW).get("agent").get(0);
      assertThat(made.resources()).isEqualTo(vector(6, 6144));
      assertThat(full.takeUnallocated()).isEmpty();
      assertThat(full.clusterTotal()).isEqualTo(vector(8, 8192));
      assertThat(full.largestPerResource()).isEqualTo(vector(8, 8192));
    }

    @Test
    void offersNothingTwiceInAPassAndNothingShort() {
      full.allocatable("agent", vector(8, 0));
      full.refresh("session", List.of(), NOW);
      assertThat(full.allocate(Map.of("agent", vector(9, 0)), NOW)).isEmpty();
      full.refresh("session", List.of(), NOW);
      assertThat(full.allocate(Map.of("agent", vector(8, 0)), NOW)).hasSize(1);
      assertThat(full.allocate(Map.of("agent", vector(8, 0)), NOW)).isEmpty();
    }

    @Test
    void offersNothingOfAnAgentThatShrankBelowItsUse() {
      full.allocatable("agent", vector(1, 100));
      NodeCapacity capacity =
          full.refresh("session", List.of(Task.node("t", "t", "agent", vector(2, 50))), NOW)
              .get("agent");
      assertThat(capacity.offered()).isEqualTo(vector(0, 50));
      full.agentLost("agent");
      assertThat(full.refresh("session", List.of(), NOW)).isEmpty();
    }
  }
}
