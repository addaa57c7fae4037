package io.lighthouse.core.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.oracle.NaiveFleet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Labels compare as names do, whichever names are added and removed, and wherever. */
class NameOrderTest {
  private final Ledger ledger = new Ledger();
  private NameOrder names;

  private void fleet(int count, IntFunction<String> name) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(Node.of(name.apply(i), Resources.none()));
    }
    ledger.nodeChanges().add(nodes);
  }

  private void check(List<Integer> there) {
    List<Integer> byName = new ArrayList<>(there);
    byName.sort(Comparator.comparing(ledger.nodes()::nodeName, NaiveFleet::compareNames));
    for (int i = 1; i < byName.size(); i++) {
      assertThat(names.label(byName.get(i))).isGreaterThan(names.label(byName.get(i - 1)));
    }
  }

  @Test
  void nodesThatComeAndLeaveAnywhere() {
    SplittableRandom random = new SplittableRandom(5);
    String[] stems = {"n", "\uff5e", "\ud83d\ude80", "m"};
    fleet(1_500, i -> stems[i % 4] + random.nextInt(100_000) + "-" + i);
    names = new NameOrder(ledger);
    List<Integer> there = new ArrayList<>();
    List<Integer> gone = new ArrayList<>();
    for (int node = 0; node < 1_500; node++) {
      there.add(node);
    }
    check(there);
    for (int step = 0; step < 8_000; step++) {
      boolean shrinks = step / 2_000 % 2 == 0;
      if (random.nextInt(10) < (shrinks ? 9 : 1) && !there.isEmpty()) {
        int node = there.remove(random.nextInt(there.size()));
        names.remove(node);
        gone.add(node);
      } else if (!gone.isEmpty()) {
        int node = gone.remove(random.nextInt(gone.size()));
        names.add(node);
        there.add(node);
      }
      if (step % 250 == 0) {
        check(there);
      }
    }
    assertThat(there).hasSizeGreaterThan(300);
    check(there);
  }

  @Test
  void nodesThatAllComeAtOnePlaceGetNewLabelsInTheEnd() {
    // Each comes just behind the first, before all that came earlier.
    fleet(600, i -> i == 0 ? "a" : i == 1 ? "z" : "b" + (9_999 - i));
    names = new NameOrder(ledger);
    List<Integer> there = new ArrayList<>(List.of(0, 1));
    for (int node = 2; node < 600; node++) {
      names.remove(node);
    }
    for (int node = 2; node < 600; node++) {
      names.add(node);
      there.add(node);
    }
    check(there);
    assertThat(names.relabelled()).as("some, not at each").isBetween(1, 40);
  }

  @Test
  void nodesThatComeAtTheEndsNeedNoNewLabels() {
    fleet(4_001, i -> i == 0 ? "m" : (i % 2 == 0 ? "z" : "a") + (i % 2 == 0 ? i : 9_999 - i));
    names = new NameOrder(ledger);
    for (int node = 0; node <= 4_000; node++) {
      names.remove(node);
    }
    List<Integer> there = new ArrayList<>();
    for (int node = 0; node <= 4_000; node++) {
      names.add(node);
      there.add(node);
    }
    check(there);
    assertThat(names.relabelled()).isZero();
  }

  @Test
  void aNodeMayBeTheFirst() {
    names = new NameOrder(ledger);
    fleet(1, i -> "only");
    names.add(0);
    check(List.of(0));
  }
}
