package io.lighthouse.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.search.Twin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the sample of needs keeps of batches of many and of one. */
class NeedSampleTest {
  private final Twin twin = new Twin(0);
  private final NeedSample sample = new NeedSample(twin.ledger);
  private int cpu;

  NeedSampleTest() {
    twin.add(List.of(Node.of("n", Resources.of("cpu", 10))));
  }

  private void take(List<Integer> needs) {
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < needs.size(); i++) {
      workloads.add(Workload.of("w" + i, Resources.of("cpu", needs.get(i))));
    }
    Batch batch = Batch.open(twin.ledger, workloads);
    cpu = batch.ids(0)[0];
    sample.take(batch);
    batch.close();
  }

  private void takeOneByOne(int times, int... needs) {
    for (int i = 0; i < times; i++) {
      take(List.of(needs[i % needs.length]));
    }
  }

  @Test
  void theFirstCallsOfOneAreAllTaken() {
    takeOneByOne(511, 1);
    takeOneByOne(1, 7);
    assertThat(sample.levels(cpu, 512)).containsExactly(1, 7);
    assertThat(sample.levels(cpu, 1)).as("the lowest").containsExactly(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 8, 16, 64})
  void callsOfOneThatComeInTurnAreAllSeen(int different) {
    int[] needs = new int[different];
    long[] all = new long[different];
    for (int i = 0; i < different; i++) {
      needs[i] = i + 1;
      all[i] = i + 1;
    }
    takeOneByOne(512, 1_000);
    takeOneByOne(4 * 1_024, needs);
    assertThat(sample.levels(cpu, 512)).containsExactly(all);
  }

  @Test
  void ofManyCallsOfOneEachFourthIsTaken() {
    takeOneByOne(512, 1);
    takeOneByOne(1_000, 2);
    assertThat(sample.levels(cpu, 512)).as("a quarter of them").containsExactly(1, 2);
    takeOneByOne(1_100, 2);
    assertThat(sample.levels(cpu, 512)).as("512 of them").containsExactly(2);
  }

  @Test
  void manyNeedsHaveTheirQuantilesAsLevels() {
    take(IntStream.rangeClosed(1, 400).boxed().toList());
    assertThat(sample.levels(cpu, 400)).hasSize(400);
    assertThat(sample.levels(cpu, 4)).containsExactly(1, 101, 201, 301);
  }

  @Test
  void quantilesThatAreEqualAreOneLevel() {
    List<Integer> needs = new ArrayList<>(Collections.nCopies(300, 1));
    IntStream.rangeClosed(2, 101).forEach(needs::add);
    take(needs);
    assertThat(sample.levels(cpu, 4)).containsExactly(1, 2);
  }

  @Test
  void batchesOfManyAreTakenWhateverCameBefore() {
    takeOneByOne(2_000, 1);
    for (int i = 0; i < 256; i++) {
      take(Collections.nCopies(2, 3));
    }
    assertThat(sample.levels(cpu, 512)).containsExactly(3);
  }
}
