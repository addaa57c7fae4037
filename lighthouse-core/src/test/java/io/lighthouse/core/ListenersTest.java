package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.ChangeListener;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Subscription;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.StrategyException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Listeners are notified of every call that takes effect, once, in order, and outside of it. */
class ListenersTest {
  private record Told(long generation, List<Change> changes) {}

  private final List<Told> told = Collections.synchronizedList(new ArrayList<>());
  private final Distributor fleet = fleet(workload -> {});

  /** Kept, because a logger without a strong reference forgets its settings. */
  private static final Logger LOG = Logger.getLogger("io.lighthouse.core.ChangeNotifier");

  private final List<LogRecord> logged = Collections.synchronizedList(new ArrayList<>());
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          logged.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void readTheLog() {
    LOG.setUseParentHandlers(false);
    LOG.addHandler(handler);
  }

  @AfterEach
  void leaveTheLog() {
    LOG.removeHandler(handler);
    LOG.setUseParentHandlers(true);
  }

  private static Distributor fleet(Consumer<Workload> before) {
    return Distributors.of(
            "first",
            (workload, candidates) -> {
              before.accept(workload);
              return candidates.first();
            })
        .nodes(
            Node.of("n1", Resources.of("cpu", 4)).withWorkloads(workload("old", 1)),
            Node.of("n2", Resources.of("cpu", 4)))
        .build();
  }

  private static Workload workload(String name, int cpu) {
    return Workload.of(name, Resources.of("cpu", cpu));
  }

  private void tell(long generation, List<Change> changes) {
    told.add(new Told(generation, changes));
  }

  @Test
  void everyCallIsToldInItsOwnWords() {
    fleet.onChange(this::tell);
    Workload a = workload("a", 3);
    Workload b = workload("b", 3);
    Node n3 = Node.of("n3", Resources.of("cpu", 1)).withWorkloads(workload("c", 1));
    fleet.assign(a, workload("large", 9), b);
    fleet.release(List.of("b", "a"));
    fleet.addNode(n3);
    fleet.resize("n2", Resources.of("cpu", 5));
    fleet.cordon("n2");
    fleet.uncordon("n2");
    fleet.releaseNode("n1");
    fleet.apply(new Change.Move("c", "n3", "n1"), new Change.RemoveNode("n3"));
    fleet.releaseAll();
    assertThat(told)
        .containsExactly(
            new Told(1, List.of(new Change.Assign(a, "n1"), new Change.Assign(b, "n2"))),
            new Told(2, List.of(new Change.Release("b"), new Change.Release("a"))),
            new Told(3, List.of(new Change.AddNode(n3))),
            new Told(4, List.of(new Change.Resize("n2", Resources.of("cpu", 5)))),
            new Told(5, List.of(new Change.Cordon("n2"))),
            new Told(6, List.of(new Change.Uncordon("n2"))),
            new Told(7, List.of(new Change.Release("old"))),
            new Told(8, List.of(new Change.Move("c", "n3", "n1"), new Change.RemoveNode("n3"))),
            new Told(9, List.of(new Change.Release("c"))));
    assertThatThrownBy(() -> told.get(0).changes.clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void nothingIsToldOfWhatDoesNotStandOrChangesNothing() {
    Distributor failing =
        fleet(
            workload -> {
              if (workload.name().equals("last")) {
                throw new IllegalStateException("at the last");
              }
            });
    failing.onChange(this::tell);
    assertThatThrownBy(() -> failing.assign(workload("a", 1), workload("last", 1)))
        .isInstanceOf(StrategyException.class);
    failing.assign(List.of(workload("a", 1), workload("b", 9)), AssignOption.ALL_OR_NOTHING);
    failing.assign(workload("large", 9));
    failing.assign();
    failing.apply();
    failing.release(List.of());
    failing.releaseNode("n2");
    failing.uncordon("n1");
    failing.resize("n1", Resources.of("cpu", 5));
    failing.explain(workload("a", 1));
    failing.fitting(workload("a", 1));
    failing.snapshot();
    failing.copy().releaseAll();
    failing.tryOut(List.of(new Change.Release("old")), tried -> tried.assign(workload("a", 1)));
    assertThatThrownBy(() -> failing.apply(new Change.Cordon("n1"), new Change.Cordon("x")))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> failing.release(List.of("old", "nobody")))
        .isInstanceOf(InvalidInputException.class);
    assertThat(told).isEmpty();
    assertThat(failing.generation()).isZero();
    assertThat(failing.snapshot().generation()).isZero();
  }

  @Test
  void isToldAfterTheCallHasTakenEffectAndMayAskAndChange() {
    List<String> seen = new ArrayList<>();
    fleet.onChange(
        (generation, changes) -> {
          seen.add(generation + " of " + fleet.generation() + " " + fleet.snapshot().placedCount());
          if (generation == 1) {
            fleet.cordon("n1");
            fleet.release("old");
          }
        });
    fleet.onChange(this::tell);
    fleet.assign(workload("a", 1));
    assertThat(seen).containsExactly("1 of 1 2", "2 of 3 1", "3 of 3 1");
    assertThat(told).extracting(Told::generation).containsExactly(1L, 2L, 3L);
  }

  @Test
  void oneThatThrowsHarmsNobody() {
    fleet.onChange(
        (generation, changes) -> {
          throw new IllegalStateException("on strike");
        });
    fleet.onChange(
        (generation, changes) -> {
          throw new StackOverflowError("deep");
        });
    fleet.onChange(this::tell);
    fleet.cordon("n1");
    fleet.uncordon("n1");
    assertThat(told).hasSize(2);
    assertThat(fleet.generation()).isEqualTo(2);
    assertThat(logged)
        .extracting(LogRecord::getMessage)
        .containsExactly(
            "a listener threw when told of generation 1",
            "a listener threw when told of generation 1",
            "a listener threw when told of generation 2",
            "a listener threw when told of generation 2");
    assertThat(logged.get(0).getThrown()).hasMessage("on strike");
  }

  @Test
  void subscriptionsEndAndAreCountedOneByOne() {
    Subscription first = fleet.onChange(this::tell);
    Subscription second = fleet.onChange(this::tell);
    fleet.cordon("n1");
    assertThat(told).hasSize(2);
    first.close();
    first.close();
    fleet.uncordon("n1");
    assertThat(told).hasSize(3);
    second.close();
    fleet.cordon("n1");
    assertThat(told).hasSize(3);
  }

  @Test
  void maySubscribeAndEndWhileItIsTold() {
    AtomicReference<Subscription> own = new AtomicReference<>();
    own.set(
        fleet.onChange(
            (generation, changes) -> {
              own.get().close();
              fleet.onChange(this::tell);
              told.add(new Told(-generation, changes));
            }));
    fleet.cordon("n1");
    assertThat(told).extracting(Told::generation).containsExactly(-1L);
    fleet.uncordon("n1");
    assertThat(told).extracting(Told::generation).containsExactly(-1L, 2L);
  }

  @Test
  void aCallThatHasBegunIsNotToldToWhoComesDuringIt() {
    AtomicReference<Distributor> own = new AtomicReference<>();
    own.set(fleet(workload -> own.get().onChange(this::tell)));
    own.get().assign(workload("a", 1));
    assertThat(told).isEmpty();
    own.get().cordon("n1");
    assertThat(told).hasSize(1);
  }

  @Test
  void aCopyHasListenersOfItsOwn() {
    fleet.onChange(this::tell);
    fleet.cordon("n1");
    Distributor copy = fleet.copy();
    assertThat(copy.generation()).isEqualTo(1);
    copy.cordon("n2");
    assertThat(told).hasSize(1);
    assertThat(fleet.generation()).isEqualTo(1);
  }

  /**
   * Whichever thread notifies, all listeners get one call after the other, in order, and never two
   * at a time.
   */
  @Test
  void manyCallersAreToldInOneOrder() throws InterruptedException {
    AtomicInteger telling = new AtomicInteger();
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    Distributor follower = fleet(workload -> {});
    fleet.onChange(
        (generation, changes) -> {
          if (telling.incrementAndGet() != 1) {
            wrong.add("two at a time");
          }
          if (follower.generation() + 1 != generation) {
            wrong.add(generation + " after " + follower.generation());
          }
          if (fleet.generation() < generation) {
            wrong.add("before its commit");
          }
          follower.apply(changes);
          telling.decrementAndGet();
        });
    List<Thread> callers = new ArrayList<>();
    CountDownLatch together = new CountDownLatch(1);
    for (int caller = 0; caller < 4; caller++) {
      String own = "caller " + caller;
      Thread thread =
          new Thread(
              () -> {
                try {
                  together.await();
                } catch (InterruptedException stopped) {
                  return;
                }
                for (int i = 0; i < 200; i++) {
                  if (fleet.assign(workload(own, 1)).allPlaced()) {
                    fleet.release(own);
                  }
                }
              },
              own);
      callers.add(thread);
      thread.start();
    }
    together.countDown();
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(wrong).isEmpty();
    assertThat(follower.generation()).isEqualTo(fleet.generation());
    assertThat(follower.snapshot().nodes()).isEqualTo(fleet.snapshot().nodes());
    assertThat(fleet.generation()).isGreaterThanOrEqualTo(400);
  }

  /** Changes that cannot be copied, for want of memory. */
  private static final class Full extends ArrayList<Change> {
    private static final long serialVersionUID = 1L;

    @Override
    public Object[] toArray() {
      throw new OutOfMemoryError("planted");
    }
  }

  @Test
  void aCallThatFindsNoRoomForItsNoticeLeavesNoGapInTheGenerations() {
    AtomicReference<Distributor> asked = new AtomicReference<>();
    Distributor failing =
        fleet(
            workload -> {
              if (workload.name().equals("last")) {
                plantFull((LedgerDistributor) asked.get());
              }
            });
    asked.set(failing);
    failing.onChange(this::tell);
    assertThatThrownBy(() -> failing.assign(workload("last", 1)))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(failing.generation()).isZero();
    failing.cordon("n2");
    assertThat(told).containsExactly(new Told(1, List.of(new Change.Cordon("n2"))));
  }

  private static void plantFull(LedgerDistributor distributor) {
    try {
      Field done = FleetOperations.class.getDeclaredField("done");
      done.setAccessible(true);
      done.set(distributor.operations, new Full());
    } catch (ReflectiveOperationException wrong) {
      throw new IllegalStateException(wrong);
    }
  }

  @Test
  void aListenerThatHasLeftIsNotKept() throws InterruptedException {
    WeakReference<ChangeListener> left = cordonBefore(new AtomicReference<>(this::tell));
    for (int i = 0; i < 1_000 && left.get() != null; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(left.get()).isNull();
  }

  /** A listener of its own, which hears of one change and leaves. */
  private WeakReference<ChangeListener> cordonBefore(AtomicReference<ChangeListener> told) {
    ChangeListener listener = (generation, changes) -> told.get().changed(generation, changes);
    Subscription subscription = fleet.onChange(listener);
    fleet.cordon("n1");
    subscription.close();
    return new WeakReference<>(listener);
  }
}
