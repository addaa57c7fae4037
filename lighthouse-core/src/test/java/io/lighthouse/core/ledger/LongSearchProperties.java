package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/** Long searches: the way back is kept short, and leads to the same states as a long one would. */
class LongSearchProperties {
  private static final int NODES = 5;
  private static final int WORKLOADS = 40;

  private Ledger ledger;
  private Batch batch;

  /** Workloads that were placed before the batch, and move, too. */
  private int[] movable;

  private Demand demand;

  private void open() {
    ledger = new Ledger();
    for (int i = 0; i < NODES; i++) {
      Workload brought = Workload.of("brought-" + i, Resources.of("cpu", 1));
      ledger
          .nodeChanges()
          .add(
              List.of(
                  Node.of("n" + i, Resources.of("cpu", i, "mem", i == 0 ? "inf" : "0.5"))
                      .withWorkloads(brought.withAversionGroups("g0"))));
    }
    ledger.commit();
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < WORKLOADS; i++) {
      workloads.add(
          Workload.of("w" + i, Resources.of("cpu", i % 3 - 1, "mem", "0.25"))
              .withAversionGroups("g" + i % 4));
    }
    movable =
        new int[] {
          ledger.placements().entryOf("brought-1"), ledger.placements().entryOf("brought-3")
        };
    batch = Batch.open(ledger, workloads);
  }

  /** Takes a workload away, and mostly places it anew; wherever that leaves the accounts. */
  private void move(int index, int node) {
    boolean isNew = index < batch.size();
    int entry = isNew ? batch.entry(index) : movable[index - batch.size()];
    demand = isNew ? batch.demand(index) : ledger.demand(entry);
    if (ledger.placements().nodeOf(entry) >= 0) {
      ledger.remove(entry, demand);
      demand = isNew ? batch.demand(index) : ledger.demand(entry);
    }
    if (node < NODES) {
      ledger.putBack(entry, node, demand);
    }
  }

  private List<Object> state() {
    List<Object> groups = new ArrayList<>();
    for (int group = 0; group < 4; group++) {
      NodeSet holders = LedgerExamples.holders(ledger, "g" + group);
      for (int node = 0; node < NODES; node++) {
        int members =
            holders == null ? 0 : ledger.members.averse(ledger.members.find("g" + group), node);
        groups.add(members);
      }
    }
    return List.of(new NodeBooks(ledger), groups);
  }

  /**
   * Runs of many moves between savepoints: behind each squashed run the state of its savepoint is
   * found again, whatever was forgotten or rolled back to before.
   */
  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void rollsBackToTheSameStatesAsIfNothingWereSquashed(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    open();
    List<Integer> savepoints = new ArrayList<>(List.of(ledger.savepoint()));
    List<List<Object>> states = new ArrayList<>(List.of(state()));
    boolean squashed = false;
    for (int round = 0; round < 12; round++) {
      int before = ledger.savepoint();
      ledger.newestSavepoint(savepoints.get(savepoints.size() - 1));
      int moves = random.nextInt(3) == 0 ? random.nextInt(30) : 3_000 + random.nextInt(9_000);
      if (round == 0) {
        moves = 24_000; // So that each try has a squashed run.
      }
      for (int i = 0; i < moves; i++) {
        move(random.nextInt(batch.size() + movable.length), random.nextInt(NODES + 1));
      }
      int logged = ledger.savepoint() - before;
      ledger.newestSavepoint(savepoints.get(savepoints.size() - 1));
      squashed |= logged < moves * UndoLog.RECORD;
      switch (random.nextInt(4)) {
        case 0 -> {
          int to = random.nextInt(savepoints.size());
          // The batch knows what its workloads need; without it, they are read anew.
          ledger.rollBack(savepoints.get(to), random.nextBoolean() ? batch::demand : null);
          assertThat(state()).isEqualTo(states.get(to));
          savepoints.subList(to + 1, savepoints.size()).clear();
          states.subList(to + 1, states.size()).clear();
        }
        case 1 -> { // Forgets the newest.
          if (savepoints.size() > 1) {
            savepoints.remove(savepoints.size() - 1);
            states.remove(states.size() - 1);
            ledger.newestSavepoint(savepoints.get(savepoints.size() - 1));
          }
        }
        default -> {
          savepoints.add(ledger.savepoint());
          states.add(state());
        }
      }
    }
    assertThat(squashed).isTrue();
    for (int to = savepoints.size() - 1; to >= 0; to--) {
      ledger.rollBack(savepoints.get(to), batch::demand);
      assertThat(state()).isEqualTo(states.get(to));
    }
    ledger.rollBack(0);
    ledger.commit();
    assertThat(ledger.placements().placedCount()).isEqualTo(NODES);
  }

  /**
   * Runs that are squashed into one, each about other workloads and other nodes: those of the
   * second stood somewhere already when the first began.
   */
  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void whatALaterRunIsTheFirstToTouchComesBackToo(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    open();
    for (int i = 0; i < WORKLOADS; i++) {
      move(i, i % 2 * 2 + i / 2 % 2);
    }
    int savepoint = ledger.savepoint();
    List<Object> before = state();
    for (int part = 0; part < 2; part++) {
      // The last run is squashed once, or a few times.
      for (int moves = 12_000 - part * random.nextInt(12_000); moves > 0; moves--) {
        move(2 * random.nextInt(WORKLOADS / 2) + part, random.nextInt(2) + 2 * part);
      }
    }
    assertThat(ledger.savepoint() - savepoint).isLessThan(UndoLog.RECORD * 12_000);
    ledger.rollBack(savepoint);
    assertThat(state()).isEqualTo(before);
  }

  /** What stands at the end is what each node lists, in that order, whatever was squashed. */
  @Test
  void tellsWhoWasPlacedAlsoOfALongSearch() {
    open();
    int before = ledger.savepoint();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 50_000; i++) {
      move(random.nextInt(WORKLOADS), random.nextInt(NODES));
    }
    int[] placed = ledger.placedSince(before);
    assertThat(placed).hasSize(WORKLOADS).doesNotHaveDuplicates();
    for (int node = 0; node < NODES; node++) {
      int on = node;
      assertThat(
              Arrays.stream(placed)
                  .filter(entry -> ledger.placements().nodeOf(entry) == on)
                  .toArray())
          .isEqualTo(
              Arrays.stream(ledger.placements().entries(node))
                  .filter(e -> contains(placed, e))
                  .toArray());
    }
  }

  private static boolean contains(int[] all, int one) {
    return Arrays.stream(all).anyMatch(other -> other == one);
  }

  /** 5,000,000 moves would be 100 MB of log; it stays at some hundred kilobytes. */
  @Test
  void theLogStaysBoundedInASearchOfMillionsOfMoves() {
    open();
    List<Object> before = state();
    int savepoint = ledger.savepoint();
    int longest = 0;
    for (int i = 0; i < 2_500_000; i++) { // Each a removal and a placement.
      move(i % WORKLOADS, (i / WORKLOADS + i) % NODES);
      if (i % 1000 == 0) {
        longest = Math.max(longest, ledger.savepoint() - savepoint);
        ledger.newestSavepoint(savepoint);
      }
    }
    assertThat(longest).isLessThan(UndoLog.RECORD * 3 * 8192);
    ledger.rollBack(savepoint);
    assertThat(state()).isEqualTo(before);
  }
}
