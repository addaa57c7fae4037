package io.lighthouse.scheduler.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceLedgerTest {
  private final DeviceLedger ledger = new DeviceLedger();

  private static Resources gpus(Object count) {
    return Resources.of("gpus", count);
  }

  private static NodeCapacity offering(Resources all) {
    return new NodeCapacity(all, Resources.none(), all);
  }

  @Test
  void countsNoDeviceTwiceThatIsOfferedBeforeItsTaskHasEnded() {
    ledger.learn("n", offering(gpus(2)));
    ledger.reserve("n", "a", gpus(2));
    ledger.learn("n", new NodeCapacity(gpus(2), gpus(2), gpus(4)));
    assertThat(ledger.free("n")).isEmpty();
    assertThat(ledger.reserve("n", "b", gpus(1))).isFalse();
  }

  @Test
  void countsWhatIsInUseWhenANodeOffersForTheFirstTime() {
    ledger.learn("n", new NodeCapacity(Resources.none(), gpus(2), gpus(2)));
    ledger.restore("n", "a", List.of(0, 1));
    ledger.learn("n", new NodeCapacity(gpus(2), gpus(2), gpus(4)));
    assertThat(ledger.free("n")).containsExactly(2, 3);
  }

  @Test
  void believesAKnownTotalAndForgetsFreeDevicesBeyondIt() {
    ledger.learn("n", new NodeCapacity(gpus(1), gpus(1), gpus(2), gpus(4)));
    assertThat(ledger.free("n")).containsExactly(0, 1, 2, 3);
    ledger.restore("n", "a", List.of(2));
    ledger.learn("n", new NodeCapacity(gpus(1), gpus(1), gpus(2), gpus(2)));
    assertThat(ledger.free("n")).containsExactly(0, 1);
    assertThat(ledger.of("n", "a")).containsExactly(2);
  }

  @Test
  void givesTheLowestNumbers() {
    ledger.learn("n", offering(gpus(4)));
    assertThat(ledger.reserve("n", "a", gpus(1))).isTrue();
    assertThat(ledger.reserve("n", "b", gpus(2))).isTrue();
    assertThat(ledger.of("n", "b")).containsExactly(1, 2);
    ledger.release("n", "a");
    assertThat(ledger.reserve("n", "c", gpus(2))).isTrue();
    assertThat(ledger.of("n", "c")).containsExactly(0, 3);
  }

  @Test
  void keepsNothingOfAReservationThatFails() {
    // The original keeps the devices that it had marked before it found too few.
    ledger.learn("n", offering(gpus(3)));
    assertThat(ledger.reserve("n", "a", gpus(2))).isTrue();
    assertThat(ledger.reserve("n", "b", gpus(2))).isFalse();
    assertThat(ledger.free("n")).containsExactly(2);
    assertThat(ledger.reserve("unknown", "b", gpus(1))).isFalse();
  }

  @Test
  void growsAndNeverShrinks() {
    ledger.learn("n", offering(gpus("2.9")));
    assertThat(ledger.free("n")).containsExactly(0, 1);
    ledger.reserve("n", "a", gpus(2));
    ledger.learn("n", offering(gpus(1)));
    ledger.learn("n", offering(gpus(3)));
    assertThat(ledger.of("n", "a")).containsExactly(0, 1);
    assertThat(ledger.free("n")).containsExactly(2);
    ledger.learn("huge", offering(gpus("1e30")));
    assertThat(ledger.free("huge")).hasSize(DeviceLedger.MOST_DEVICES);
    assertThat(ledger.reserve("huge", "b", gpus("1e30"))).isFalse();
  }

  private static RunningExecution running(String id, Object gpus) {
    PendingExecution origin = PendingExecution.of(id, "type", 1, Instant.EPOCH, gpus(gpus));
    return new RunningExecution(
        new Placement(origin, "n", "agent"), Instant.EPOCH, Step.main(origin));
  }

  @Test
  void reservesAsManyAsThereCanBe() {
    Resources most = gpus(DeviceLedger.MOST_DEVICES);
    ledger.learn("n", offering(most));
    assertThat(ledger.reserve("n", "a", most)).isTrue();
    assertThat(ledger.free("n")).isEmpty();
  }

  @Test
  void presumesNothingOfWorkThatAsksForMoreThanThereCanBe() {
    ledger.restore("n", "other", List.of(0));
    ledger.keepUpWith(
        List.of(running("a", DeviceLedger.MOST_DEVICES + 1), running("other", 1)), each -> true);
    assertThat(ledger.of("n", "a")).isEmpty();
    assertThat(ledger.of("n", "other")).containsExactly(0);
  }

  @Test
  void takesAWholeDeviceForAFractionAndNoneForNone() {
    ledger.learn("n", offering(gpus(1)));
    assertThat(ledger.reserve("n", "a", gpus("0.5"))).isTrue();
    assertThat(ledger.free("n")).isEmpty();
    assertThat(ledger.reserve("n", "b", Resources.none())).isTrue();
  }

  @Test
  void isRestoredAfterARestart() {
    ledger.restore("n", "a", List.of(1));
    assertThat(ledger.free("n")).containsExactly(0);
    assertThat(ledger.holders()).containsExactly("a");
    assertThatThrownBy(() -> ledger.restore("n", "b", List.of(1)))
        .isInstanceOf(InvalidInputException.class);
    ledger.releaseAll(Set.of("a"));
    assertThat(ledger.free("n")).containsExactly(0, 1);
  }

  @Test
  void restoresNoNumberBeyondTheMostDevices() {
    for (int number : new int[] {DeviceLedger.MOST_DEVICES, 2_000_000_000, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> ledger.restore("n", "a", List.of(number)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining(number + "; allowed: a number below 65536");
    }
    ledger.restore("n", "a", List.of(DeviceLedger.MOST_DEVICES - 1));
    assertThat(ledger.of("n", "a")).containsExactly(DeviceLedger.MOST_DEVICES - 1);
  }
}
