package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BudgetOverException;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.Distributors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code pack} with steps without end, on a batch of which one has to be left out. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PackBudgetTest {
  private static final int NODES = 5;

  private static List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", 4, "mem", 4 + i)));
    }
    return nodes;
  }

  private static Distributor fleet() {
    return Distributors.installed()
        .strategy("pack")
        .setting("steps", Long.toString(Long.MAX_VALUE))
        .nodes(nodes())
        .build();
  }

  private static List<Workload> batch() {
    return Workload.of("w", Resources.of("cpu", 3, "mem", 2)).replicas(NODES + 1);
  }

  @Test
  void endsWithWhatItHasWhenTheTimeIsOver() {
    Budget soon = Budget.UNLIMITED.within(Duration.ofMillis(200));
    assertThat(fleet().assign(batch(), soon).placedCount()).isEqualTo(NODES);
  }

  @Test
  void endsWhenItsThreadIsInterruptedAndLeavesNothingBehind() {
    Distributor fleet = fleet();
    Thread searching = Thread.currentThread();
    ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    try {
      later.schedule(searching::interrupt, 200, TimeUnit.MILLISECONDS);
      assertThatThrownBy(() -> fleet.assign(batch())).isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    } finally {
      later.shutdownNow();
    }
    assertThat(fleet.snapshot().placedCount()).isZero();
  }

  /** The first rule places all. The budget ends as soon as the second one begins. */
  @Test
  void keepsTheAnswerOfTheFirstRuleWhenTheBudgetEndsInTheSecond() {
    AtomicInteger kept = new AtomicInteger();
    PlacementStrategy pack =
        PackInParts.above(
            Long.MAX_VALUE,
            (placer, session) -> {
              Session ending = endingInTheSecondRule(session, kept);
              assertThatThrownBy(() -> placer.place(ending))
                  .isInstanceOf(BudgetOverException.class);
              PackInParts.placeTheRest(session);
            });
    List<Workload> batch = Workload.of("w", Resources.of("cpu", 1, "mem", 1)).replicas(3 * NODES);
    Distributors.of(pack).nodes(nodes()).build().assign(batch);
    assertThat(kept).hasValue(batch.size());
  }

  /** The budget ends as soon as room was made for more workloads than were kept. */
  @Test
  void keepsWhatRoomWasMadeForWhenTheBudgetEnds() {
    AtomicInteger kept = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    PlacementStrategy pack =
        PackInParts.above(
            Long.MAX_VALUE,
            (placer, session) -> {
              Session ending =
                  PackInParts.altered(
                      session,
                      method -> {
                        switch (method) {
                          case "keep" -> kept.set(PackInParts.placed(session));
                          case "over" -> {
                            over.compareAndSet(false, PackInParts.placed(session) > kept.get());
                            return Optional.of(over.get());
                          }
                          case "fits" -> {
                            if (over.get()) {
                              throw new BudgetOverException();
                            }
                          }
                          default -> {}
                        }
                        return Optional.empty();
                      });
              assertThatThrownBy(() -> placer.place(ending))
                  .isInstanceOf(BudgetOverException.class);
              assertThat(kept).hasValue(PackInParts.placed(session));
              placeWhatFits(session);
            });
    Random random = new Random(1);
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int cpu = 5 + random.nextInt(40);
      int mem = 5 + random.nextInt(40);
      batch.add(Workload.of("w" + i, Resources.of("cpu", cpu, "mem", mem)));
    }
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", 120, "mem", 120)));
    }
    Distributors.of(pack)
        .setting("goal", "place-all")
        .setting("start", "first-fit") // It leaves out some workloads for which room can be made.
        .nodes(nodes)
        .build()
        .assign(batch);
    assertThat(over).isTrue();
  }

  private static void placeWhatFits(Session session) {
    for (int i = 0; i < session.size(); i++) {
      for (int node = 0; node < 20 && session.nodeOf(i) < 0; node++) {
        if (session.fits(i, node)) {
          session.assign(i, node);
        }
      }
    }
  }

  /** Each rule but the first begins by taking the workloads off their nodes. */
  private static Session endingInTheSecondRule(Session session, AtomicInteger kept) {
    AtomicBoolean over = new AtomicBoolean();
    return PackInParts.altered(
        session,
        method -> {
          over.compareAndSet(false, method.equals("release"));
          if (method.equals("keep")) {
            kept.set(PackInParts.placed(session));
          }
          if (over.get() && method.equals("fits")) {
            throw new BudgetOverException();
          }
          return Optional.empty();
        });
  }
}
