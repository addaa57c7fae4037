package io.lighthouse.scheduler.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResourceVectorsTest {
  private static final Resources NONE = Resources.none();

  private static Resources of(Object... namesAndQuantities) {
    return Resources.of(namesAndQuantities);
  }

  @Test
  void addingKeepsEveryName() {
    assertThat(ResourceVectors.plus(of("a", 1, "b", 2), of("b", 3, "c", 4)))
        .isEqualTo(of("a", 1, "b", 5, "c", 4));
    assertThat(ResourceVectors.sum(List.of(of("a", 1), of("a", 2), NONE))).isEqualTo(of("a", 3));
  }

  @Test
  void subtractingIgnoresNamesThatAreLackingAndMayGoBelowZero() {
    assertThat(ResourceVectors.minus(of("a", 1, "b", 2), of("b", 3, "c", 4)))
        .isEqualTo(of("a", 1, "b", -1));
  }

  @Test
  void theLargerAndTheSmallerDifferInWhatTheyKeep() {
    assertThat(ResourceVectors.max(of("a", 1, "b", 5), of("b", 3, "c", 4)))
        .isEqualTo(of("a", 1, "b", 5, "c", 4));
    assertThat(ResourceVectors.cappedBy(of("a", 1, "b", 5), of("b", 3, "c", 4)))
        .isEqualTo(of("b", 3));
  }

  @Test
  void decimalsAreExact() {
    Resources sum =
        ResourceVectors.sum(
            List.of(of("cpus", "0.1"), of("cpus", "0.1"), of("cpus", 1), of("cpus", 2)));
    Resources rest = ResourceVectors.minus(sum, of("cpus", 3));
    assertThat(rest).isEqualTo(of("cpus", "0.2"));
    assertThat(ResourceVectors.covers(of("cpus", "0.2"), rest)).isTrue();
  }

  @Test
  void aRequestOfNothingIsMetWhetherTheNameIsThereOrNot() {
    Resources asksForNothing = of("nice-castle", 0);
    assertThat(ResourceVectors.covers(of("cpus", 1), asksForNothing)).isTrue();
    assertThat(ResourceVectors.covers(of("nice-castle", 0), asksForNothing)).isTrue();
  }

  @Test
  void aRequestOfNothingIsNotMetByANegativeQuantity() {
    assertThat(ResourceVectors.covers(of("a", -1), of("a", 0))).isFalse();
    assertThat(ResourceVectors.covers(of("a", -1, "b", 1), of("b", 1))).isTrue();
  }

  @Test
  void coveringLooksAtEveryNameAsked() {
    assertThat(ResourceVectors.covers(of("b", 2, "d", 4), of("a", 0, "b", 2, "c", 0, "d", 4)))
        .isTrue();
    assertThat(ResourceVectors.covers(of("b", 2, "d", 4), of("b", 2, "d", 5))).isFalse();
    assertThat(ResourceVectors.covers(of("b", 2), of("b", 1, "z", 1))).isFalse();
    assertThat(ResourceVectors.covers(NONE, of("a", "0.000000001"))).isFalse();
    assertThat(ResourceVectors.shortOf(of("b", 2), of("a", 1, "b", 2, "z", 1)))
        .containsExactly("a", "z");
  }

  @Test
  void requestsAreCountedOneByOne() {
    Resources have = of("a", 2);
    assertThat(
            ResourceVectors.covered(have, List.of(of("a", 2), of("a", 2), of("a", 3), of("b", 1))))
        .isEqualTo(2);
    assertThat(ResourceVectors.covered(have, List.of())).isZero();
  }

  @Test
  void requestsAreRoundedUpAndOffersDown() {
    assertThat(JobType.of("t", of("a", "0.0000000001")).request())
        .isEqualTo(of("a", "0.000000001"));
    ResourceOffer offer =
        new ResourceOffer("o", "a", "s", of("a", "1.9999999999", "b", 1), Instant.EPOCH);
    assertThat(offer.resources()).isEqualTo(of("a", "1.999999999", "b", 1));
  }

  @Test
  void negativeAndInfiniteQuantitiesAreRefused() {
    assertThatThrownBy(() -> JobType.of("t", of("a", -1)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("job type 't'")
        .hasMessageContaining("request.a")
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> new ResourceOffer("o", "a", "s", of("a", "inf"), Instant.EPOCH))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("resources.a");
  }

  @Test
  void quantitiesThatNoSumCouldHoldAreRefused() {
    Resources most = of("a", "9".repeat(900) + ".9999999999");
    ResourceOffer offer = new ResourceOffer("o", "a", "s", most, Instant.EPOCH);
    assertThat(ResourceVectors.sum(Collections.nCopies(1000, offer.resources())).quantity(0))
        .isGreaterThan(Quantity.of("9.99e902"));
    JobType type = JobType.of("t", most);
    assertThat(type.request()).isEqualTo(of("a", "1e900"));
    assertThat(JobType.of("t", type.request())).isEqualTo(type);
    assertThatThrownBy(() -> JobType.of("t", of("a", "1.1e900")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("request.a")
        .hasMessageEndingWith("allowed: a decimal from 0 to 1e900");
  }

  @Test
  void wronglyMadeNounsAreRefused() {
    assertThatThrownBy(() -> new JobType("t", NONE, -1, false))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> Task.job("t", "main", "a", "", NONE))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> Task.job("t", "main", "", "e", NONE))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(
            () -> new PendingExecution("e", "t", 1, Instant.EPOCH, NONE, Set.of(""), false))
        .isInstanceOf(InvalidInputException.class);
  }
}
