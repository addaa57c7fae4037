package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Compares the verdicts on pods with claims and priorities with those of the real kube-scheduler,
 * on the same random clusters. Both refuse the same pods, with the same counts of reasons and the
 * same words about preemption. Both evict the same pods. A pod that both take gets volumes of the
 * same sizes.
 *
 * <p>{@code -Dlighthouse.kubernetes.clusters=500} for many, {@code
 * -Dlighthouse.kubernetes.planes=3} for several API servers at a time. The time that the stock
 * scheduler has to learn of a change is {@code -Dlighthouse.kubernetes.learns}. A cluster with
 * differences is tried once more with ten times as much, and only what is found then counts.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes", matches = "real")
class StockVolumesTest {
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 12);
  private static final int PLANES = Integer.getInteger("lighthouse.kubernetes.planes", 1);
  private static final long FIRST = Long.getLong("lighthouse.kubernetes.seed", 1);
  private static final long LEARNS = Long.getLong("lighthouse.kubernetes.learns", 250);

  private final List<String> differences = new ArrayList<>();
  private final Map<String, Integer> seen = new TreeMap<>();
  private final AtomicLong next = new AtomicLong(FIRST);

  @Test
  void judgesClaimsAsTheStockSchedulerDoes() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(PLANES);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < PLANES; i++) {
        running.add(threads.submit((Callable<Void>) this::compare));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    System.out.println("StockVolumesTest: " + seen);
    assertThat(differences).as(seen.toString()).isEmpty();
    assertThat(seen.getOrDefault("refused", 0)).isGreaterThan(CLUSTERS);
    assertThat(seen.getOrDefault("placed", 0)).isGreaterThan(CLUSTERS);
    assertThat(seen.getOrDefault("preempted", 0)).isGreaterThan(CLUSTERS / 4);
  }

  /** One cluster after the other, until all are compared. */
  private Void compare() throws Exception {
    try (StorageDifferential one = new StorageDifferential()) {
      for (long seed = take(); seed < FIRST + CLUSTERS; seed = take()) {
        long begun = System.nanoTime();
        List<String> found = one.cluster(seed, LEARNS);
        if (!found.isEmpty()) {
          System.out.println("StockVolumesTest, once more: " + found);
          found = one.cluster(seed, 10 * LEARNS);
        }
        found(seed, found, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
      }
      add(one.seen());
    }
    return null;
  }

  private long take() {
    return next.getAndIncrement();
  }

  private synchronized void found(long seed, List<String> found, long millis) {
    System.out.printf(
        "StockVolumesTest, seed %d: %d differences, %d ms%n", seed, found.size(), millis);
    differences.addAll(found);
  }

  private synchronized void add(Map<String, Integer> counts) {
    counts.forEach((what, count) -> seen.merge(what, count, Integer::sum));
  }
}
