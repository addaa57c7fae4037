package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Several threads at one distributor: every state that a thread sees is whole and exact. */
class ConcurrencyTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 150;

  private final Distributor distributor =
      Distributors.of("first", (workload, candidates) -> candidates.first())
          .nodes(
              Node.of("n1", Resources.of("cpu", 10)),
              Node.of("n2", Resources.of("cpu", "7.5")),
              Node.of("n3", Resources.of("cpu", "0.25")))
          .build();

  @Test
  void nothingIsLostOrCountedTwice() throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Integer>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int own = thread;
        Callable<Integer> work =
            () -> {
              start.await();
              return live(own);
            };
        running.add(pool.submit(work));
      }
      int held = 0;
      for (Future<Integer> one : running) {
        held += one.get();
      }
      check(distributor.snapshot());
      assertThat(distributor.snapshot().placedCount()).isEqualTo(held);
      assertThat(distributor.releaseAll()).hasSize(held);
      assertThat(distributor.node("n2").left()).isEqualTo(Resources.of("cpu", "7.5"));
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aSnapshotAnswersSeveralThreadsAtOnce() throws Exception {
    distributor.assign(Workload.of("web", Resources.of("cpu", "0.01")).replicas(750));
    distributor.assign(Workload.of("api", Resources.none()).replicas(100));
    Snapshot snapshot = distributor.snapshot();
    List<String> names =
        snapshot.nodes().stream()
            .flatMap(node -> node.workloads().stream().map(Workload::name))
            .toList();
    List<Optional<String>> nodes = names.stream().map(snapshot::nodeOf).toList();
    CyclicBarrier start = new CyclicBarrier(THREADS);
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Integer>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = thread * names.size() / THREADS;
        Callable<Integer> wrong =
            () -> {
              start.await();
              int count = 0;
              for (int i = 0; i < 300_000; i++) {
                int at = (first + i) % names.size();
                count += snapshot.nodeOf(names.get(at)).equals(nodes.get(at)) ? 0 : 1;
              }
              return count;
            };
        running.add(pool.submit(wrong));
      }
      for (Future<Integer> one : running) {
        assertThat(one.get()).isZero();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** Assigns and releases under names of its own; returns how many it leaves placed. */
  private int live(int thread) {
    Set<String> placed = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<Workload> batch = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        batch.add(
            Workload.of(
                "t" + thread + "-" + round + "-" + i,
                Resources.of("cpu", "0." + (3 + i + thread))));
      }
      Assignments answer =
          round % 2 == 0
              ? distributor.assign(batch, AssignOption.ALL_OR_NOTHING)
              : distributor.assign(batch);
      if (round % 2 == 0) {
        assertThat(answer.placedCount()).isIn(0, 3);
      }
      batch.forEach(one -> answer.nodeOf(one.name()).ifPresent(node -> placed.add(one.name())));
      Snapshot snapshot = distributor.snapshot();
      check(snapshot);
      placed.forEach(name -> assertThat(snapshot.nodeOf(name)).isPresent());
      if (placed.size() > 6) {
        distributor.release(placed);
        placed.clear();
      }
      distributor.fitting(batch.get(0));
      distributor.explain(batch.get(0));
    }
    return placed.size();
  }

  private static void check(Snapshot snapshot) {
    int placed = 0;
    for (NodeState node : snapshot.nodes()) {
      BigDecimal sum = node.left().get("cpu").orElseThrow().toBigDecimal();
      assertThat(sum.signum()).isNotNegative();
      for (Workload workload : node.workloads()) {
        sum = sum.add(workload.requirements().get("cpu").orElseThrow().toBigDecimal());
        placed++;
      }
      assertThat(sum).isEqualByComparingTo(node.capacity().get("cpu").orElseThrow().toBigDecimal());
    }
    assertThat(snapshot.placedCount()).isEqualTo(placed);
  }
}
