package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for the lock of a distributor, and what does not. */
@Timeout(60)
class LockTest {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final Distributor busy =
      Distributors.of(
              "slow",
              (workload, candidates) -> {
                begun.countDown();
                try {
                  go.await();
                } catch (InterruptedException stopped) {
                  throw new IllegalStateException(stopped);
                }
                return candidates.first();
              })
          .nodes(Node.of("n", Resources.of("cpu", 4)))
          .build();

  private static Workload workload(String name) {
    return Workload.of(name, Resources.of("cpu", 1));
  }

  private Thread occupy() throws InterruptedException {
    Thread caller = new Thread(() -> busy.assign(workload("a")), "occupies");
    caller.start();
    begun.await();
    return caller;
  }

  @Test
  void aCallThatWaitsEndsSoonWhenInterruptedAndHasChangedNothing() throws Exception {
    Thread caller = occupy();
    FutureTask<Throwable> waiting =
        new FutureTask<>(
            () -> {
              Throwable thrown = catchThrowable(() -> busy.cordon("n"));
              assertThat(Thread.currentThread().isInterrupted()).isTrue();
              return thrown;
            });
    Thread waiter = new Thread(waiting, "waits");
    waiter.start();
    while (waiter.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    waiter.interrupt();
    assertThat(waiting.get())
        .isInstanceOf(CancellationException.class)
        .hasMessageContaining("had not begun")
        .hasCauseInstanceOf(InterruptedException.class);
    go.countDown();
    caller.join();
    assertThat(busy.node("n").cordoned()).isFalse();
    assertThat(busy.generation()).isEqualTo(1);
  }

  @Test
  void itsTextAndItsGenerationDoNotWait() throws Exception {
    Thread caller = occupy();
    assertThat(busy).hasToString("distributor 'slow' of 1 node with 0 workloads");
    assertThat(busy.generation()).isZero();
    busy.onChange((generation, changes) -> {}).close();
    go.countDown();
    caller.join();
    assertThat(busy).hasToString("distributor 'slow' of 1 node with 1 workload");
  }

  @Test
  void aStrategyMayLogItsOwnDistributor() {
    AtomicReference<Distributor> own = new AtomicReference<>();
    List<String> seen = new ArrayList<>();
    own.set(
        Distributors.of(
                "logging",
                (workload, candidates) -> {
                  seen.add(own.get() + " at " + own.get().generation());
                  return candidates.first();
                })
            .nodes(Node.of("n", Resources.of("cpu", 4)))
            .build());
    assertThat(own.get().assign(workload("a"), workload("b")).allPlaced()).isTrue();
    assertThat(seen)
        .containsOnly("distributor 'logging' of 1 node with 0 workloads at 0")
        .hasSize(2);
  }

  /** A strategy that counts its calls, and records them by name. */
  private record Counting(AtomicInteger orders, List<String> names) implements PlacementStrategy {
    @Override
    public String name() {
      return "counting";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return new Placer() {
        @Override
        public FleetNode choose(Workload workload, Candidates candidates) {
          names.add(workload.name());
          return candidates.first();
        }

        @Override
        public BatchOrder order() {
          orders.incrementAndGet();
          return BatchOrder.scoreDescending(io.lighthouse.api.Rubric.of("cpu", 1));
        }
      };
    }
  }

  @Test
  void anExplanationAsksForTheOrderOnce() {
    Counting counting = new Counting(new AtomicInteger(), new ArrayList<>());
    Distributor distributor =
        Distributors.of(counting).nodes(Node.of("n", Resources.of("cpu", 4))).build();
    distributor.explain(1, List.of(workload("a"), workload("b"), workload("c")));
    assertThat(counting.orders).hasValue(1);
    assertThat(counting.names).containsExactly("a", "b");
    distributor.assign(workload("a"));
    assertThat(counting.orders).hasValue(2);
    assertThat(distributor.explain(workload("a")).chosen()).contains("n");
    assertThat(distributor.explain(workload("a")).workload()).isEqualTo("a");
    assertThat(counting.orders).hasValue(4);
  }

  private int deepest;

  /** Runs a call this many frames deeper. */
  private void descend(int frames, Runnable call) {
    if (frames == 0) {
      call.run();
      return;
    }
    deepest++;
    descend(frames - 1, call);
  }

  /** Runs a call that many frames before the end of the stack. */
  private void runBeforeTheEnd(int frames, Runnable call) {
    try {
      descend(Integer.MAX_VALUE, call);
    } catch (StackOverflowError full) {
      deepest -= frames;
    }
    try {
      descend(deepest, call);
    } catch (StackOverflowError full) {
      // As it was to be.
    }
  }

  @Test
  void aCallThatEndsForWantOfStackLeavesTheLockFree() throws Exception {
    Field field = LedgerDistributor.class.getDeclaredField("lock");
    field.setAccessible(true);
    ReentrantLock lock = (ReentrantLock) field.get(busy);
    busy.node("n");
    for (int frames = 0; frames < 200; frames++) {
      int left = frames;
      deepest = 0;
      Runnable caller = () -> runBeforeTheEnd(left, () -> busy.node("n"));
      Thread small = new Thread(null, caller, "small", 200_000);
      small.start();
      small.join();
      assertThat(lock.isLocked()).as("%s frames before the end", frames).isFalse();
    }
  }
}
