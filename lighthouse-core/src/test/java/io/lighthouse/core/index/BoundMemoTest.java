package io.lighthouse.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.demand.BatchOfOne;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What a bound holds, for which demands, and until when. Checked against a plain list of all that
 * was learned.
 */
class BoundMemoTest {
  private static final String[] NAMES = {"cpu", "disk", "gpu", "mem", "net", "volumes"};

  private final Ledger ledger = new Ledger();
  private final LevelNeeds needs = new LevelNeeds();
  private final Levels levels;
  private final BoundMemo memo;

  BoundMemoTest() {
    Map<String, Object> all = new LinkedHashMap<>();
    for (String name : NAMES) {
      all.put(name, 1000);
    }
    ledger.nodeChanges().add(List.of(Node.of("n", all)));
    Batch batch = Batch.open(ledger, List.of(Workload.of("sample", all)));
    NeedSample sample = new NeedSample(ledger);
    sample.take(batch);
    batch.close();
    levels = new Levels(ledger, sample);
    memo = new BoundMemo(levels, 1, 64);
  }

  private static Workload needs(Object... requirements) {
    return Workload.of("w", Resources.of(requirements));
  }

  private int bound(Workload workload) {
    needs.take(levels, BatchOfOne.demand(ledger, workload));
    return bound(memo);
  }

  private int bound(BoundMemo of) {
    return of.bound(needs);
  }

  /** Remembers what saves 100 nodes; it was asked for 5 cpu. */
  private BoundMemo sparing() {
    BoundMemo sparing = new BoundMemo(levels, 100, 64);
    bound(needs("cpu", 5));
    bound(sparing);
    return sparing;
  }

  private void learn(Workload workload, int place) {
    memo.learn(needs, bound(workload), place);
  }

  @Test
  void holdsForWhoNeedsAsMuchOrMore() {
    learn(needs("cpu", 5, "mem", 7), 300);
    assertThat(bound(needs("cpu", 5, "mem", 7))).isEqualTo(300);
    assertThat(bound(needs("cpu", 6, "mem", 7))).isEqualTo(300);
    assertThat(bound(needs("cpu", 900, "mem", 900))).isEqualTo(300);
    assertThat(bound(needs("cpu", 5, "mem", 7, "volumes", 0))).isEqualTo(300);
  }

  @Test
  void staysAfterEachReleaseForWhoComesAndGoes() {
    BoundMemo large = new BoundMemo(levels, 1, 100);
    Workload comer = needs("disk", 5);
    for (int i = 0; i < 100; i++) {
      bound(needs("cpu", 1 + i, "mem", 200 - i));
      large.learn(needs, bound(large), 300);
    }
    for (int i = 0; i < 5; i++) {
      large.released(250);
      bound(comer);
      large.learn(needs, bound(large), 250);
      large.released(250);
      bound(comer);
      assertThat(bound(large)).isEqualTo(250);
    }
  }

  @Test
  void saysNothingOfWhoNeedsLessOfAnything() {
    learn(needs("cpu", 5, "mem", 7), 300);
    assertThat(bound(needs("cpu", 4, "mem", 900))).isZero();
    assertThat(bound(needs("cpu", 900, "mem", 6))).isZero();
    assertThat(bound(needs("cpu", 900))).isZero();
    assertThat(bound(needs("mem", 900, "volumes", 900))).isZero();
    assertThat(bound(needs())).isZero();
  }

  @Test
  void tellsAnAmountOfZeroFromNone() {
    learn(needs("cpu", 0, "volumes", 0), 300);
    assertThat(bound(needs("cpu", 0, "volumes", 0))).isEqualTo(300);
    assertThat(bound(needs("cpu", 7))).isZero();
    assertThat(bound(needs("volumes", 7))).isZero();
  }

  @Test
  void isNeitherLeftNorUsedByWhoIsImmuneOrGives() {
    learn(needs("cpu", 5).withImmunities("mem"), 300);
    learn(needs("cpu", 5, "mem", -1), 300);
    assertThat(bound(needs("cpu", 5, "mem", 1))).isZero();
    learn(needs("cpu", 5), 300);
    assertThat(bound(needs("cpu", 5).withImmunities("mem"))).isZero();
    assertThat(bound(needs("cpu", 5, "mem", -1))).isZero();
  }

  @Test
  void isUsedButNotLeftByWhoHasAversionGroups() {
    learn(needs("cpu", 5).withAversionGroups("g"), 300);
    assertThat(bound(needs("cpu", 5))).isZero();
    learn(needs("cpu", 5), 300);
    assertThat(bound(needs("cpu", 5).withAversionGroups("g"))).isEqualTo(300);
  }

  @Test
  void isNotLeftByWhoRequiresWhatIsNoDimension() {
    ledger.nodeChanges().add(List.of(Node.of("other", Resources.of("tag", 0))));
    learn(needs("cpu", 5, "tag", 0), 300);
    assertThat(bound(needs("cpu", 5))).isZero();
    assertThat(bound(needs("cpu", 5, "tag", 0))).isZero();
  }

  @Test
  void isForgottenOnRequest() {
    learn(needs("cpu", 5), 300);
    memo.clear();
    assertThat(bound(needs("cpu", 5))).isZero();
  }

  @Test
  void isNeverBehindTheNodeOfARelease() {
    learn(needs("cpu", 5), 300);
    learn(needs("cpu", 7), 500);
    memo.released(400);
    assertThat(bound(needs("cpu", 7))).isEqualTo(400);
    assertThat(bound(needs("cpu", 5))).isEqualTo(300);
    memo.released(200);
    memo.released(250);
    assertThat(bound(needs("cpu", 7))).isEqualTo(200);
    assertThat(bound(needs("cpu", 5))).isEqualTo(200);
    learn(needs("cpu", 7), 260);
    assertThat(bound(needs("cpu", 7))).as("found again").isEqualTo(260);
  }

  @Test
  void isForgottenAfterAReleaseThatLeavesTooLittle() {
    BoundMemo sparing = sparing();
    sparing.learn(needs, 0, 300);
    sparing.released(100);
    assertThat(bound(sparing)).isEqualTo(100);
    sparing.released(99);
    assertThat(bound(sparing)).isZero();
  }

  @Test
  void isTheFarthestThatHoldsAndNeverMoreThanWasLearned() {
    SplittableRandom random = new SplittableRandom(7);
    List<long[]> learned = new ArrayList<>();
    int farthest = 0;
    int helped = 0;
    for (int i = 0; i < 5_000; i++) {
      if (random.nextInt(400) == 0) {
        int node = random.nextInt(400);
        memo.released(node);
        learned.forEach(of -> of[NAMES.length] = Math.min(of[NAMES.length], node));
      }
      long[] needs = new long[NAMES.length];
      Map<String, Object> requirements = new LinkedHashMap<>();
      for (int d = 0; d < needs.length; d++) {
        needs[d] = random.nextInt(8) == 0 ? -1 : random.nextInt(i < 2_500 ? 4 : 1000);
        if (needs[d] >= 0) {
          requirements.put(NAMES[d], needs[d]);
        }
      }
      int expected = 0;
      for (int k = 0; k < learned.size(); k++) {
        boolean smaller = true;
        for (int d = 0; d < needs.length; d++) {
          smaller &= learned.get(k)[d] <= needs[d];
        }
        expected = smaller ? Math.max(expected, (int) learned.get(k)[needs.length]) : expected;
      }
      int bound = bound(Workload.of("w", requirements));
      assertThat(bound).isLessThanOrEqualTo(expected);
      if (learned.size() <= 64) {
        assertThat(bound).as("as long as nothing had to go").isEqualTo(expected);
      }
      farthest += bound == expected ? 1 : 0;
      helped += bound > 0 ? 1 : 0;
      int place = bound + random.nextInt(20);
      memo.learn(this.needs, bound, place);
      if (place > bound) {
        long[] kept = Arrays.copyOf(needs, needs.length + 1);
        kept[needs.length] = place;
        learned.add(kept);
      }
    }
    assertThat(helped).isGreaterThan(2_500);
    assertThat(farthest).as("though most had to go").isGreaterThan(500);
  }

  @Test
  void isRememberedOnlyWhereItSparesEnough() {
    BoundMemo sparing = sparing();
    sparing.learn(needs, 950, 1_000);
    assertThat(bound(sparing)).as("only 50 more").isZero();
    sparing.learn(needs, 0, 99);
    assertThat(bound(sparing)).isZero();
    sparing.learn(needs, 0, 100);
    assertThat(bound(sparing)).isEqualTo(100);
  }

  @Test
  void takesNoRoomOnceALesserNeedReachesAsFar() {
    takesNoRoomBeside(100);
  }

  @Test
  void takesNoRoomOnceALesserNeedReachesFarther() {
    takesNoRoomBeside(101);
  }

  private void takesNoRoomBeside(int place) {
    for (int i = 0; i < 24; i++) {
      learn(needs("net", i, "volumes", 63 - i), 50);
    }
    for (int i = 0; i < 40; i++) {
      learn(needs("cpu", i, "mem", 40 - i), 100);
    }
    assertThat(bound(needs("cpu", 900, "disk", 900, "mem", 0))).as("none is so small").isZero();
    learn(needs("cpu", 0), place); // Says more than those forty.
    for (int i = 24; i < 63; i++) {
      learn(needs("net", i, "volumes", 63 - i), 50);
    }
    assertThat(bound(needs("cpu", 0))).isEqualTo(place);
    assertThat(bound(needs("cpu", 7, "mem", 33))).isEqualTo(place);
    for (int i = 0; i < 63; i++) {
      assertThat(bound(needs("net", i, "volumes", 63 - i))).as("one of 64").isEqualTo(50);
    }
  }

  @Test
  void makesOnlyGreaterNeedsOfNoGreaterReachNeedless() {
    learn(needs("cpu", 5, "mem", 5), 100);
    learn(needs("cpu", 7), 300);
    learn(needs("cpu", 6, "mem", 4), 200);
    assertThat(bound(needs("cpu", 5, "mem", 5))).isEqualTo(100);
    assertThat(bound(needs("cpu", 6, "mem", 4))).isEqualTo(200);
    assertThat(bound(needs("cpu", 7))).isEqualTo(300);
  }

  @Test
  void staysWhereItWasOfUseWhileOthersHaveToGo() {
    for (int i = 0; i < 64; i++) {
      learn(needs("net", i, "volumes", 63 - i), 300 - i);
    }
    learn(needs("cpu", 1, "mem", 100), 100); // One too many: from here on, use counts.
    for (int i = 2; i < 64; i += 2) {
      assertThat(bound(needs("net", i, "volumes", 63 - i))).isEqualTo(300 - i);
    }
    for (int i = 2; i < 22; i++) {
      learn(needs("cpu", i, "mem", 100 - i), 100);
    }
    for (int i = 2; i < 64; i += 2) {
      assertThat(bound(needs("net", i, "volumes", 63 - i))).as("was of use").isEqualTo(300 - i);
    }
    for (int i = 2; i < 22; i++) {
      assertThat(bound(needs("cpu", i, "mem", 100 - i))).as("came last").isEqualTo(100);
    }
  }
}
