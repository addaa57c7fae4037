package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replicas are placed like different workloads with the same requirements. The engine prepares a
 * run of equal workloads once; the answers, the refusals with their counts and the accounts must
 * not show it. The fleets are larger than those on which the engine checks itself.
 */
class ReplicaRunsTest {
  private static final int NODES = 2_100;
  private static final int BATCHES = 3;

  @ParameterizedTest
  @ValueSource(strings = {"prioritized", "round-robin", "bin-pack"})
  void replicasAreAnsweredAsWorkloadsThatRequireAsMuch(String strategy) {
    for (boolean declared : new boolean[] {false, true}) {
      SplittableRandom random = new SplittableRandom(31 + (declared ? 1 : 0));
      Distributor one = fleet(strategy, declared);
      Distributor other = fleet(strategy, declared);
      int placed = 0;
      int refused = 0;
      for (int batch = 0; batch < BATCHES; batch++) {
        List<Workload> replicas = batch(random, batch);
        List<Workload> apart = replicas.stream().map(ReplicaRunsTest::withItsOwn).toList();
        AssignOption[] options =
            batch % 2 == 1 ? new AssignOption[] {AssignOption.EXPLAIN} : new AssignOption[0];
        Assignments answer = one.assign(replicas, options);
        assertThat(answer).isEqualTo(other.assign(apart, options));
        placed += answer.placedCount();
        refused += answer.refusedCount();
        change(one, answer, batch);
        change(other, answer, batch);
      }
      assertThat(one.snapshot().nodes()).isEqualTo(other.snapshot().nodes());
      assertThat(placed).isGreaterThan(3_000);
      assertThat(refused).isGreaterThan(30);
    }
  }

  /** Where the engine knows the placer, it places a run node by node, without asking. */
  @Test
  void aPlacerThatIsKnownIsAnsweredAsOneThatIsAsked() {
    SplittableRandom random = new SplittableRandom(77);
    Distributor known = Distributors.of("known", Placer.FIRST).nodes(nodes()).build();
    Placer first = (workload, candidates) -> candidates.first();
    Distributor asked = Distributors.of("asked", first).nodes(nodes()).build();
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Workload> replicas = batch(random, batch);
      Assignments answer = known.assign(replicas);
      assertThat(answer).isEqualTo(asked.assign(replicas));
      assertThat(answer.placedCount()).isPositive();
      change(known, answer, batch);
      change(asked, answer, batch);
    }
    assertThat(known.snapshot().nodes()).isEqualTo(asked.snapshot().nodes());
  }

  @Test
  void aRunIsTakenBackWhole() {
    Distributor fleet = fleet("prioritized", false);
    List<Workload> replicas = batch(new SplittableRandom(5), 0);
    fleet.assign(replicas);
    Snapshot before = fleet.snapshot();
    List<Workload> tooMany = Workload.of("more", Resources.of("cpu", 1)).replicas(30 * NODES);
    Assignments none = fleet.assign(tooMany, AssignOption.ALL_OR_NOTHING);
    assertThat(none.placedCount()).isZero();
    assertThat(fleet.snapshot().nodes()).isEqualTo(before.nodes());
    assertThat(fleet.assign(tooMany).placedCount()).isBetween(1_000, 30 * NODES - 1);
  }

  /** Equal in all, with requirements of its own: to the engine no run. */
  private static Workload withItsOwn(Workload workload) {
    return new Workload(
        workload.name(),
        Resources.of(workload.requirements().asMap()),
        workload.immunities(),
        workload.aversionGroups(),
        workload.terms());
  }

  private static Distributor fleet(String strategy, boolean declared) {
    Distributors.Builder builder = Distributors.installed().strategy(strategy).nodes(nodes());
    if (strategy.equals("bin-pack")) {
      builder.rubric(Rubric.of("cpu", 1, "mem", 2));
    }
    if (declared) {
      builder.domains(List.of(Domain.of("zone", "z1", Resources.of("power", 900))));
    }
    return builder.build();
  }

  private static List<Node> nodes() {
    SplittableRandom random = new SplittableRandom(3);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      Resources has =
          i % 9 == 0
              ? Resources.of("cpu", 4 + random.nextInt(9), "mem", 16, "gpu", 1)
              : Resources.of("cpu", 4 + random.nextInt(9), "mem", 8 + 8 * random.nextInt(2));
      nodes.add(Node.of("n" + i, has).in("zone", "z" + i % 3).in("rack", "r" + i % 90));
    }
    return nodes;
  }

  private static List<Workload> batch(SplittableRandom random, int number) {
    List<Workload> batch = new ArrayList<>();
    for (int shape = 0; shape < 24; shape++) {
      Workload like = Workload.of("w" + number + "x" + shape, requirements(random));
      if (random.nextInt(6) == 0) {
        like = like.withAversionGroups("g" + random.nextInt(2));
      }
      if (random.nextInt(6) == 0) {
        like = like.withImmunities("gpu");
      }
      if (random.nextInt(5) == 0) {
        like = like.withTerms(terms(random, like.name()));
      }
      // Few at a time where many may be refused: each refusal has the verdict of every node.
      batch.addAll(like.replicas(1 + random.nextInt(number % 2 == 1 ? 10 : 300)));
    }
    return batch;
  }

  private static Resources requirements(SplittableRandom random) {
    return switch (random.nextInt(9)) {
      case 0 -> Resources.none();
      case 1 -> Resources.of("cpu", 1, "gpu", 1);
      case 2 -> Resources.of("cpu", "0.5");
      case 3 -> Resources.of("cpu", -1, "mem", 1);
      case 4 -> Resources.of("cpu", 13);
      default -> Resources.of("cpu", 1 + random.nextInt(4), "mem", 1 + random.nextInt(6));
    };
  }

  private static Terms terms(SplittableRandom random, String group) {
    Terms grouped = Terms.NONE.inGroups(group);
    return switch (random.nextInt(5)) {
      case 0 -> grouped.rules(new Rule.Most(2, group, Rule.NODE));
      case 1 -> grouped.rules(new Rule.Skew(1, group, "zone", 1));
      case 2 -> grouped.rules(new Rule.Least(1, group, "rack"));
      case 3 -> grouped.preferring(new Rule.Skew(0, group, "rack", 1));
      default -> grouped.rules(new Rule.Skew(1, group, "rack", 1));
    };
  }

  /** Gives back here and there, and closes and opens nodes, between two batches. */
  private static void change(Distributor fleet, Assignments answer, int batch) {
    for (int i = batch; i < answer.size(); i += 37) {
      if (answer.node(i).isPresent()) {
        fleet.release(answer.workload(i));
      }
    }
    for (int node = batch; node < NODES; node += 101) {
      if (batch % 3 == 2) {
        fleet.uncordon("n" + (node - 1));
      } else {
        fleet.cordon("n" + node);
      }
    }
  }
}
