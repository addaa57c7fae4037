package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.advice.WhatIf;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What-if answers equal what a copy shows after the change, and change nothing. */
class WhatIfProperties {
  private static final List<String> STRATEGIES =
      List.of("prioritized", "round-robin", "bin-pack", "spread", "balance", "devices");

  /** The distributors that answer. */
  interface Answering {
    WhatIf answer(
        Distributor fleet, List<Workload> batch, List<Supposition> steps, WhatIf.Placing placing);
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void isWhatComesOfDoingIt(
      @ForAll("scenarios") Scenario scenario,
      @ForAll("batches") List<Workload> batch,
      @ForAll long seed) {
    assertThat(
            found(
                scenario,
                batch,
                seed,
                (on, waiting, supposed, how) -> on.advisor().whatIf(waiting, supposed, how)))
        .isEmpty();
  }

  /** Wrong in one way each. */
  private enum Planted {
    FORGETS_WHAT_WAS_ON_A_REMOVED_NODE(
        (fleet, batch, steps, placing) -> {
          List<Supposition> tame = new ArrayList<>();
          for (Supposition step : steps) {
            if (step instanceof Supposition.RemoveNode remove) {
              fleet.snapshot().nodes().stream()
                  .filter(node -> node.name().equals(remove.node()))
                  .flatMap(node -> node.workloads().stream())
                  .forEach(held -> tame.add(new Supposition.Release(held.name())));
            }
            tame.add(step);
          }
          return fleet.advisor().whatIf(batch, tame, placing);
        }),
    ALWAYS_DECIDES_AFRESH(
        (fleet, batch, steps, placing) ->
            fleet.advisor().whatIf(batch, steps, WhatIf.Placing.AFRESH)),
    SUPPOSES_IN_THE_WRONG_ORDER(
        (fleet, batch, steps, placing) -> {
          List<Supposition> turned = new ArrayList<>(steps);
          Collections.reverse(turned);
          return fleet.advisor().whatIf(batch, turned, placing);
        }),
    MIXES_UP_NOW_AND_THEN(
        (fleet, batch, steps, placing) -> {
          WhatIf right = fleet.advisor().whatIf(batch, steps, placing);
          return new WhatIf(right.then(), right.now(), right.fates(), right.refusals());
        }),
    REALLY_DOES_IT(
        (fleet, batch, steps, placing) -> {
          WhatIf right = fleet.advisor().whatIf(batch, steps, placing);
          fleet.assign(batch);
          return right;
        });

    private final Answering answering;

    Planted(Answering answering) {
      this.answering = answering;
    }
  }

  /** Each kind of supposition is drawn, and its loss is noticed. */
  @Example
  void catchesADroppedStepOfEveryKind() {
    Set<Class<?>> missed = new HashSet<>(List.of(Supposition.class.getPermittedSubclasses()));
    Random random = new Random(13);
    for (int i = 0; i < 400 && !missed.isEmpty(); i++) {
      Scenario scenario = scenarios().generator(1000).next(random).value();
      List<Workload> batch = batches().generator(1000).next(random).value();
      long seed = random.nextLong();
      missed.removeIf(
          kind -> {
            Answering drops =
                (fleet, waiting, steps, placing) ->
                    fleet
                        .advisor()
                        .whatIf(
                            waiting,
                            steps.stream().filter(step -> !kind.isInstance(step)).toList(),
                            placing);
            return !found(scenario, batch, seed, drops).isEmpty();
          });
    }
    assertThat(missed).isEmpty();
  }

  @Example
  void catchesEveryPlantedFault() {
    Map<Planted, String> caught = new EnumMap<>(Planted.class);
    Random random = new Random(12);
    for (int i = 0; i < 400; i++) {
      Scenario scenario = scenarios().generator(1000).next(random).value();
      List<Workload> batch = batches().generator(1000).next(random).value();
      long seed = random.nextLong();
      for (Planted planted : Planted.values()) {
        if (!caught.containsKey(planted)) {
          String finding = found(scenario, batch, seed, planted.answering);
          if (!finding.isEmpty()) {
            caught.put(planted, finding);
          }
        }
      }
    }
    assertThat(caught).containsOnlyKeys(Planted.values());
  }

  /** What is wrong with an answer; empty where nothing is. */
  private static String found(
      Scenario scenario, List<Workload> given, long seed, Answering answering) {
    Random random = new Random(seed);
    String strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
    Distributor fleet = Fleets.played(scenario, strategy);
    List<Workload> batch = Fleets.named("batch", given);
    List<Supposition> steps = Steps.of(fleet.snapshot(), batch, random);
    WhatIf.Placing placing = WhatIf.Placing.values()[random.nextInt(2)];
    Snapshot before = fleet.snapshot();
    List<String> wanted = ByHand.answer(fleet, batch, steps, placing);
    List<String> said;
    try {
      said = ByHand.lines(answering.answer(fleet, batch, steps, placing));
    } catch (InvalidInputException refused) {
      said = null;
    }
    if (wanted == null ? said != null : !wanted.equals(said)) {
      return steps + " " + placing + ": " + said + " and not " + wanted;
    }
    Snapshot after = fleet.snapshot();
    return before.nodes().equals(after.nodes())
            && before.lastPlaced().equals(after.lastPlaced())
            && before.generation() == after.generation()
        ? ""
        : steps + " changed the fleet";
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenarios.of(6, 8, 8);
  }

  @Provide
  Arbitrary<List<Workload>> batches() {
    return Scenarios.workloads().list().ofMaxSize(4);
  }
}
