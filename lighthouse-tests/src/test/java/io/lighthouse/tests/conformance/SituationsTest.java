package io.lighthouse.tests.conformance;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The situations that the documentation of the originals, or ours, speaks of. */
class SituationsTest {
  private final Scene scene = new Scene();

  @Nested
  class Tags {
    @Test
    void drawWhoAsksForThem() {
      scene.node("plain", "cpu", 8).node("fast", "cpu", 8, "ssd", 0).wants("db", "ssd", 0);
      scene.goes("db: fast").left("fast", "cpu", 8, "ssd", 0);
    }

    @Test
    void refuseWhoFindsNone() {
      scene.node("plain", "cpu", 8).node("other", "cpu", 8).wants("db", "ssd", 0).goes("db: none");
    }

    @Test
    void keepNobodyOff() {
      scene.node("fast", "cpu", 8, "ssd", 0).wants("any", "cpu", 3).goes("any: fast");
    }

    @Test
    void refuseForQuantityZeroWhereTheNameIsMissing() {
      scene.node("plain", "cpu", 1).wants("ml", "gpu", 0).goes("ml: none");
    }
  }

  @Nested
  class Semaphores {
    @Test
    void letInAsManyAsTheyCount() {
      scene.node("printer", "cpu", 30, "seat", 1).rubric("cpu", 1, "seat", 1);
      scene.wants("ada", "cpu", 7, "seat", 1);
      scene.wants("bob", "cpu", 7, "seat", 1);
      scene.wants("cyd", "cpu", 7, "seat", 1);
      scene.goes("ada: printer, bob: none, cyd: none").left("printer", "cpu", 23, "seat", 0);
    }
  }

  @Nested
  class Shortcomings {
    @Test
    void keepOffWhoDoesNotRepay() {
      scene.node("barn", "room", 2, "leak", -3).wants("guest", "room", 1).goes("guest: none");
    }

    @Test
    void areRepaidExactly() {
      scene.node("barn", "room", 2, "leak", -3).wants("mason", "room", 1, "leak", -3);
      scene.goes("mason: barn").left("barn", "room", 1, "leak", 0);
    }

    @Test
    void areNotRepaidByLess() {
      scene.node("barn", "room", 2, "leak", -3).wants("mason", "room", 1, "leak", "-2.9");
      scene.goes("mason: none");
    }

    @Test
    void areGoneForTheNextWhenRepaid() {
      scene.node("barn", "room", 9, "leak", -3);
      scene
          .wants("early", "room", 1)
          .wants("mason", "leak", -4)
          .wants("late", "room", 1, "leak", 1);
      scene.goes("prioritized", "early: none, mason: barn, late: barn");
      scene.left("barn", "room", 8, "leak", 0);
      scene.goes("round-robin", "early: none, mason: barn, late: barn");
    }

    @Test
    void keepOffEvenWhoWantsNothing() {
      scene.node("bad", "cpu", 1, "leak", -1).node("good", "cpu", 1).wants("air").goes("air: good");
    }
  }

  @Nested
  class Wards {
    @Test
    void keepOff() {
      scene.node("attic", "room", 1, "bats", "-inf").wants("guest", "room", 1).goes("guest: none");
    }

    @Test
    void areOvercomeByImmunity() {
      scene.node("attic", "room", 1, "bats", "-inf").wants("guest", "room", 1).immuneTo("bats");
      scene.goes("guest: attic").left("attic", "room", 0, "bats", "-inf");
    }

    @Test
    void areOvercomeByNoFiniteGift() {
      scene.node("attic", "room", 1, "bats", "-inf").wants("cat", "bats", "-1e9").goes("cat: none");
    }
  }

  @Nested
  class Immunities {
    @Test
    void driveAResourceBelowZeroWhichThenKeepsOthersOff() {
      scene.node("inn", "beds", 2, "soup", 9);
      scene.wants("troop", "beds", 5, "soup", 1).immuneTo("beds");
      scene.wants("guest", "soup", 1);
      scene.wants("monk", "soup", 1).immuneTo("beds");
      scene.goes("round-robin", "troop: inn, guest: none, monk: inn");
      scene.goes("prioritized", "troop: inn, guest: none, monk: inn");
      scene.left("inn", "beds", -3, "soup", 7);
    }

    @Test
    void letBinPackUseANodeWithLessThanTheWorkloadScores() {
      scene.node("inn", "beds", 2, "soup", 1).rubric("beds", 1, "soup", 1);
      scene.wants("troop", "beds", 5, "soup", 1).immuneTo("beds").goes("troop: inn");
      scene.left("inn", "beds", -3, "soup", 0);
    }

    @Test
    void doNotReplaceAMissingName() {
      scene.node("inn", "beds", 2).wants("cat", "bats", 1).immuneTo("bats").goes("cat: none");
    }
  }

  @Nested
  class Gifts {
    @Test
    void addToWhatIsThere() {
      scene.node("pot", "soup", 3).wants("cook", "soup", -7).wants("guests", "soup", 10);
      scene.goes("prioritized", "cook: pot, guests: pot").left("pot", "soup", 0);
    }
  }

  @Nested
  class Emptiness {
    @Test
    void ofTheFleetRefusesAll() {
      scene.wants("a", "cpu", 1).wants("b").goes("a: none, b: none");
    }

    @Test
    void ofANodeTakesWhoNeedsNothing() {
      scene.node("void").wants("idea").wants("thing", "cpu", 1).goes("idea: void, thing: none");
    }
  }

  @Nested
  class Aversion {
    @Test
    void keepsRivalsApartWhereItCan() {
      scene.node("north", "bed", 3).node("south", "bed", 3).rubric("bed", 1);
      scene.wants("cat", "bed", 1).averseIn("pets").wants("dog", "bed", 1).averseIn("pets");
      scene.goes("cat: north, dog: south");
    }

    @Test
    void letsRivalsShareWhereTheyMust() {
      scene.node("north", "bed", 3);
      scene.wants("cat", "bed", 1).averseIn("pets").wants("dog", "bed", 1).averseIn("pets");
      scene.goes("cat: north, dog: north").left("north", "bed", 1);
    }

    @Test
    void needsOneSharedGroupOnly() {
      scene.node("m", "cpu", 9).node("n", "cpu", 9);
      scene.wants("x", "cpu", 1).averseIn("a", "b");
      scene.wants("y", "cpu", 1).averseIn("b", "c");
      scene.wants("z", "cpu", 1).averseIn("c");
      scene.goes("prioritized", "x: m, y: n, z: m").left("m", "cpu", 7).left("n", "cpu", 8);
    }
  }

  @Nested
  class Decimals {
    @Test
    void holdThreeTenthsInThreeTenths() {
      scene
          .node("n", "cpu", 0.3)
          .wants("a", "cpu", 0.1)
          .wants("b", "cpu", 0.1)
          .wants("c", "cpu", 0.1);
      scene.goes("a: n, b: n, c: n").left("n", "cpu", 0);
    }

    @Test
    void roundRequirementsUpAndNodesDown() {
      scene.node("n", "cpu", "1.0000000009").wants("a", "cpu", "1.0000000001");
      scene.goes("a: none").left("n", "cpu", 1);
    }
  }

  @Nested
  class Basics {
    @Test
    void prioritizedFillsTheFirst() {
      scene.node("a", "cpu", 6, "mem", 12).node("b", "cpu", 4, "mem", 16);
      scene.wants("vm-1", "cpu", 0.2, "mem", 0.1).wants("vm-2", "cpu", 0.3, "mem", 0.3);
      scene.goes("prioritized", "vm-1: a, vm-2: a").left("a", "cpu", "5.5", "mem", "11.6");
    }

    @Test
    void eachStrategyHasItsOwnAnswer() {
      scene.node("a", "cpu", 9, "disk", 90).node("b", "cpu", 9, "disk", 90);
      scene.node("c", "cpu", 9, "disk", 50).rubric("cpu", 1, "disk", 0.1);
      scene.wants("x", "cpu", 2, "disk", 5).wants("y", "cpu", 2, "disk", 5).wants("z", "cpu", 2);
      scene.goes("prioritized", "x: a, y: a, z: a");
      scene.goes("round-robin", "x: a, y: b, z: c");
      scene.goes("bin-pack", "x: c, y: c, z: c").left("c", "cpu", 3, "disk", 40);
    }
  }

  @Nested
  class RoundRobin {
    @Test
    void goesOnJustAfterTheNodeThatTookTheLast() {
      scene.node("a", "cpu", 1).node("b", "cpu", 1).node("c", "cpu", 7).node("d", "cpu", 7);
      scene.wants("w1", "cpu", 6).wants("w2", "cpu", 1).wants("w3", "cpu", 1).wants("w4", "cpu", 1);
      scene.goes("round-robin", "w1: c, w2: d, w3: a, w4: b");
    }

    @Test
    void doesNotMoveOnARefusal() {
      scene.node("a", "cpu", 2).node("b", "cpu", 2);
      scene.wants("w1", "cpu", 1).wants("w2", "cpu", 7).wants("w3", "cpu", 1);
      scene.goes("round-robin", "w1: a, w2: none, w3: b");
    }
  }

  @Nested
  class BinPack {
    @Test
    void placesTheLargestFirst() {
      scene.node("a", "cpu", 9).rubric("cpu", 1).wants("small", "cpu", 2).wants("big", "cpu", 8);
      scene.goes("bin-pack", "small: none, big: a").left("a", "cpu", 1);
    }

    @Test
    void ordersEqualWorkloadsByName() {
      scene.node("a", "cpu", 2).rubric("cpu", 1).wants("y", "cpu", 2).wants("x", "cpu", 2);
      scene.goes("bin-pack", "y: none, x: a");
    }

    @Test
    void ordersEqualNodesByName() {
      scene.node("y", "cpu", 4).node("x", "cpu", 4).rubric("cpu", 1).wants("w", "cpu", 1);
      scene.goes("bin-pack", "w: x");
    }

    @Test
    void ordersNamesByCodePoint() {
      scene.node("\uD83D\uDE00", "cpu", 4).node("\uFF5E", "cpu", 4).rubric("cpu", 1).wants("w");
      scene.goes("bin-pack", "w: \uFF5E");
    }

    @Test
    void tiesWhatIsEqualOnPaper() {
      scene.node("q", "cpu", 9, "mem", 15, "disk", 18).node("p", "cpu", 27, "mem", 15);
      scene.rubric("cpu", 0.025, "mem", 3, "disk", 0.025).wants("w", "mem", 2);
      scene.goes("bin-pack", "w: p").left("p", "cpu", 27, "mem", 13);
    }

    @Test
    void countsNothingForAMissingName() {
      scene
          .node("a", "cpu", 5)
          .node("b", "cpu", 3)
          .rubric("cpu", 1, "gpu", 40)
          .wants("w", "cpu", 1);
      scene.goes("bin-pack", "w: b").left("b", "cpu", 2);
    }
  }
}
