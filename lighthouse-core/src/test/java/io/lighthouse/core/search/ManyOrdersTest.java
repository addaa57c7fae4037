package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.order.KeptOrders;
import io.lighthouse.core.order.ScoreOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * However many orders are in use, few are notified of every change, and all return right results.
 */
class ManyOrdersTest {
  private final Twin twin = new Twin(0);
  private Demand demand;
  private int made;

  @BeforeEach
  void aFleet() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      nodes.add(node("n" + i, 5 + i * 7 % 90, 5 + i * 31 % 70));
    }
    twin.add(nodes);
  }

  private static Node node(String name, int cpu, int mem) {
    return Node.of(name, Resources.of("cpu", cpu, "mem", mem));
  }

  private static Rubric rubric(int number) {
    return Rubric.of("cpu", 1 + number % 50, "mem", 1 + number / 50);
  }

  private int ask(Rubric rubric) {
    Workload workload = Workload.of("w" + made++, Resources.of("cpu", made % 9, "mem", made % 7));
    Batch batch = Batch.open(twin.ledger, List.of(workload));
    twin.finder.expect(batch);
    demand = batch.demand(0);
    int node = twin.first(workload, demand, rubric, made % 3 == 0);
    batch.close();
    return node;
  }

  private boolean isKept(ScoreOrder order) {
    return twin.finder.keeper.orders.find(order.rubric()) == order;
  }

  @Test
  void onlySoManyAreKept() {
    List<ScoreOrder> asked = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      asked.add(twin.finder.orderBy(rubric(i)));
      ask(rubric(i));
      assertThat(asked.stream().filter(this::isKept)).hasSizeLessThanOrEqualTo(KeptOrders.MOST);
    }
  }

  @Test
  void oneThatWasDroppedAnswersRightWhateverHasHappenedSince() {
    SplittableRandom random = new SplittableRandom(6);
    List<ScoreOrder> held = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      held.add(twin.finder.orderBy(rubric(i)));
    }
    assertThat(held.stream().filter(order -> !isKept(order))).isNotEmpty();
    for (int step = 0; step < 600; step++) {
      int node = random.nextInt(200);
      switch (random.nextInt(4)) {
        case 0 -> twin.resize(node, Resources.of("cpu", random.nextInt(90), "mem", "7.5"));
        case 1 -> twin.cordon(node, random.nextBoolean());
        case 2 -> {
          twin.add(List.of(node("late-" + step, random.nextInt(90), random.nextInt(90))));
          twin.remove(200);
        }
        default -> twin.resize(node, Resources.of("cpu", "0.25", "mem", random.nextInt(90)));
      }
      int i = random.nextInt(held.size());
      Workload workload = Workload.of("v" + step, Resources.of("cpu", random.nextInt(9)));
      Batch batch = Batch.open(twin.ledger, List.of(workload));
      demand = batch.demand(0);
      int found = Twin.first(twin.finder, demand, held.get(i), false);
      int naive = twin.naive.first(workload, rubric(i), false);
      assertThat(found < 0 ? found : twin.ledger.nodes().index(found)).isEqualTo(naive);
      int a = twin.slot(random.nextInt(200));
      int b = twin.slot(random.nextInt(200));
      int k = random.nextInt(held.size());
      assertThat(Integer.signum(held.get(k).compare(a, b, false)))
          .isEqualTo(
              Integer.signum(
                  twin.naive.compare(
                      twin.ledger.nodes().index(a),
                      twin.ledger.nodes().index(b),
                      rubric(k),
                      false)));
      batch.close();
    }
  }

  @Test
  void oneThatIsAskedAllTheTimeStays() {
    ScoreOrder busy = twin.finder.orderBy(rubric(999));
    for (int i = 0; i < 500; i++) {
      ask(rubric(999));
      ask(rubric(i));
      assertThat(isKept(busy)).isTrue();
    }
    assertThat(twin.finder.orderBy(rubric(999))).isSameAs(busy);
  }

  @Test
  void oneThatWasDroppedIsKeptAgainWhenItIsAsked() {
    ScoreOrder order = twin.finder.orderBy(rubric(999));
    for (int i = 0; i < 100; i++) {
      ask(rubric(i));
    }
    assertThat(isKept(order)).isFalse();
    Workload workload = Workload.of("again", Resources.of("cpu", 1));
    Batch batch = Batch.open(twin.ledger, List.of(workload));
    demand = batch.demand(0);
    Twin.first(twin.finder, demand, order, false);
    batch.close();
    assertThat(isKept(order)).isTrue();
  }
}
