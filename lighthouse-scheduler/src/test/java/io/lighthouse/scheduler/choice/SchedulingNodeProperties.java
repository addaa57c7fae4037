package io.lighthouse.scheduler.choice;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.assertSame;
import static io.lighthouse.scheduler.Fixtures.capacity;
import static io.lighthouse.scheduler.Fixtures.offer;
import static io.lighthouse.scheduler.Fixtures.pending;
import static io.lighthouse.scheduler.Fixtures.running;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class SchedulingNodeProperties {
  private static final String[] NAMES = {"cpus", "disk", "gpus", "mem", "x"};

  /** Some of five names, of up to ten digits before and nine after the point. */
  private static Resources vector(Random random, int most) {
    Resources vector = Resources.none();
    for (String name : NAMES) {
      if (random.nextInt(3) > 0) {
        vector =
            vector.with(
                name, BigDecimal.valueOf(random.nextInt(most * 100 + 1), random.nextInt(3)));
      }
    }
    return vector;
  }

  private static SchedulingNode node(String name, Random random) {
    TestNode host = new TestNode(name);
    Resources used = vector(random, 5);
    Resources offered = vector(random, 20);
    List<RunningExecution> present = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      present.add(running("r" + i, random.nextInt(5), name, vector(random, 5)));
    }
    List<Task> tasks = new ArrayList<>();
    for (int i = random.nextInt(2); i > 0; i--) {
      tasks.add(Task.node("t" + i, "t", host.agent, vector(random, 2)));
    }
    return new SchedulingNode(
        host.agent,
        host,
        tasks,
        present,
        capacity(
            offered,
            used,
            ResourceVectors.max(ResourceVectors.plus(offered, used), vector(random, 30))));
  }

  @Property(tries = 500)
  void allocatedAndRemainingAreWhatWasOffered(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 30) int steps) {
    Random random = new Random(seed);
    SchedulingNode node = node("1", random);
    Resources offered = node.capacity().offered();
    List<Task> waiting = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      switch (random.nextInt(6)) {
        case 0 -> node.acceptNewJobExe(pending("p" + step, 1, without(vector(random, 3))));
        case 1 ->
            node.acceptJobExeNextTask(running("n" + step, 1, "1", vector(random, 3)), waiting);
        case 2 -> node.acceptSystemTask(Task.system("s" + step, "s", vector(random, 3)));
        case 3 -> node.resetNewJobExes();
        case 4 -> node.acceptNodeTasks(NOW, waiting);
        default -> {
          node.resetNewJobExes();
          node.addAllocatedOffers(
              List.of(offer("o" + step, "a", vector(random, 20)), offer("p" + step, "a", offered)));
        }
      }
      for (String name : NAMES) {
        BigDecimal sum = amount(node.allocated(), name).add(amount(node.remaining(), name));
        assertThat(sum).isEqualByComparingTo(amount(offered, name));
        assertThat(amount(node.remaining(), name).signum()).isNotNegative();
      }
    }
    node.resetNewJobExes();
    node.addAllocatedOffers(List.of());
    assertSame(node.remaining(), offered);
  }

  /** Devices would refuse what the vectors allow. */
  private static Resources without(Resources vector) {
    return vector.has("gpus") ? vector.with("gpus", 0) : vector;
  }

  private static BigDecimal amount(Resources vector, String name) {
    return vector.get(name).map(quantity -> quantity.toBigDecimal()).orElse(BigDecimal.ZERO);
  }

  @Property(tries = 500)
  void scoresDoNotDependOnTheOrderOfTypes(@ForAll long seed) {
    Random random = new Random(seed);
    SchedulingNode node = node("1", random);
    List<Resources> types = vectors(random, random.nextInt(8), 6);
    List<Resources> shuffled = new ArrayList<>(types);
    Collections.shuffle(shuffled, random);
    PendingExecution entry = pending("e", random.nextInt(5), vector(random, 5));
    assertThat(node.scoreJobExeForScheduling(entry, shuffled))
        .isEqualTo(node.scoreJobExeForScheduling(entry, types));
    assertThat(node.scoreJobExeForReservation(entry, shuffled))
        .isEqualTo(node.scoreJobExeForReservation(entry, types));
  }

  /** The fast index against the nodes' own scores, also where a quantity is too large for it. */
  @Property(tries = 1000)
  void theIndexChoosesAsTheScoresSay(@ForAll long seed) {
    Random random = new Random(seed);
    List<SchedulingNode> nodes = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(5); i++) {
      nodes.add(node("n" + i, random));
    }
    List<Resources> types = vectors(random, random.nextInt(70), 6);
    List<Resources> requests = vectors(random, 4, 5);
    if (random.nextInt(4) == 0) {
      types.add(Resources.of("cpus", "1e25", "x", "0.000000001"));
    }
    FitIndex index = new FitIndex(nodes, types, requests);
    boolean[] closed = new boolean[nodes.size()];
    for (int step = 0; step < 12; step++) {
      PendingExecution entry =
          pending("e" + step, step / 3, requests.get(random.nextInt(requests.size())));
      int expected = -1;
      int lowest = Integer.MAX_VALUE;
      int reserve = -1;
      int lowestReserve = Integer.MAX_VALUE;
      for (int i = 0; i < nodes.size(); i++) {
        OptionalInt score = nodes.get(i).scoreJobExeForScheduling(entry, types);
        if (!closed[i] && score.isPresent() && score.getAsInt() < lowest) {
          lowest = score.getAsInt();
          expected = i;
        }
        OptionalInt kept = nodes.get(i).scoreJobExeForReservation(entry, types);
        if (!closed[i] && kept.isPresent() && kept.getAsInt() < lowestReserve) {
          lowestReserve = kept.getAsInt();
          reserve = i;
        }
      }
      assertThat(index.best(entry.request(), null)).isEqualTo(expected);
      if (expected >= 0) {
        if (nodes.get(expected).acceptNewJobExe(entry)) {
          index.changed(expected);
        }
      } else {
        assertThat(index.bestToReserve(entry, null)).isEqualTo(reserve);
        if (reserve >= 0 && random.nextBoolean()) {
          index.close(reserve);
          closed[reserve] = true;
        }
      }
    }
  }

  private static List<Resources> vectors(Random random, int count, int most) {
    List<Resources> vectors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      vectors.add(vector(random, most));
    }
    return vectors;
  }
}
