package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.Distributors;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.memory.TaskListener.End;
import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * The distributor of a manager lives from pass to pass. A manager that is made anew for each pass
 * has a new distributor, and must choose the same nodes.
 */
class LivingFleetProperties {
  /** All but round-robin, whose position a new manager does not know. */
  @Provide
  Arbitrary<String> strategies() {
    return Arbitraries.of(
        Distributors.installed().strategies().stream()
            .map(each -> each.name())
            .filter(name -> !name.equals("round-robin"))
            .toList());
  }

  @Property
  void aLivingFleetChoosesAsANewOne(@ForAll("strategies") String strategy, @ForAll long seed) {
    assertThat(placements(strategy, seed, true)).isEqualTo(placements(strategy, seed, false));
  }

  private static List<String> placements(String strategy, long seed, boolean living) {
    Random random = new Random(seed);
    Cluster cluster = new Cluster();
    cluster.policy =
        SchedulingPolicy.DEFAULT
            .withReserve(random.nextBoolean())
            .withNodeChoice(
                NodeChoice.installed(
                    strategy, Map.of(), Optional.of(Rubric.of(Map.of("cpus", "1", "mem", "0.1")))));
    boolean[] storeFails = {false};
    SchedulingPorts all = cluster.ports;
    cluster.ports =
        all.withStore(
            (placed, cancelled, when) -> {
              if (storeFails[0]) {
                throw new IllegalStateException("the store fails");
              }
              return all.store().commit(placed, cancelled, when);
            });
    List<String> found = new ArrayList<>();
    int entries = 0;
    for (int pass = 0; pass < 8; pass++) {
      Instant when = NOW.plusSeconds(pass);
      if (pass == 0 || random.nextInt(4) == 0) {
        cluster.node("n" + (char) ('a' + random.nextInt(26)) + pass);
      }
      cluster.nodes.forEach(node -> node.newJobs = random.nextInt(6) > 0);
      cluster.nodes.forEach(
          node -> cluster.offers(node.agent, vector(random.nextInt(6), random.nextInt(12)), when));
      for (int i = 0; i < random.nextInt(5); i++) {
        cluster.queue("e" + entries++, 1, vector(random.nextInt(4), random.nextInt(5)));
      }
      storeFails[0] = random.nextInt(6) == 0;
      SchedulingReport report =
          living
              ? cluster.pass(when)
              : new SchedulingManager(cluster.ports, cluster.policy).runPass(cluster.client, when);
      report
          .queue()
          .placements()
          .forEach(at -> found.add(pass(when) + at.execution().id() + " on " + at.node()));
      for (Task task : List.copyOf(cluster.memory.tasks().current())) {
        if (random.nextInt(3) == 0) {
          cluster.memory.taskEnded(task.id(), End.FINISHED, when);
        }
      }
    }
    return found;
  }

  private static String pass(Instant when) {
    return when.getEpochSecond() - NOW.getEpochSecond() + ": ";
  }
}
