package io.lighthouse.core.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.generate.Dice;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.generate.Sketch;
import io.lighthouse.tests.referee.Books;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Referee;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The referee finds nothing exactly in the answers that the oracle allows, of all answers that a
 * batch can get, right or wrong: nodes plus one to the power of the batch.
 */
class RefereeAndOracleTest {
  @Provide
  Arbitrary<Scenario> tiny() {
    return Scenarios.tiny();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void agreeOnBatchesWithoutTerms(@ForAll("tiny") Scenario scenario) {
    List<Workload> batch = ((Sketch.Assign) scenario.sketches().get(0)).workloads();
    List<Workload> named =
        IntStream.range(0, batch.size())
            .mapToObj(i -> batch.get(i).named(batch.get(i).name() + i))
            .toList();
    assertThat(differences(Fault.NONE, scenario.fleet(), named)).isEmpty();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void agreeOnBatchesWithTerms(@ForAll long seed) {
    assertThat(differences(Fault.NONE, seed)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "IGNORES_CORDONS",
        "FORGETS_AVERSION",
        "TAKES_MISSING_FOR_ZERO",
        "OVERLOOKS_THE_LAST_NODE",
        "PLACES_IN_CLOSED_DOMAINS",
        "IGNORES_UNITS",
        "FORGETS_THE_BOUNDS_OF_OTHERS",
        "IGNORES_MIN_DOMAINS",
        "TAKES_PREFERENCES_BACKWARDS",
        "FORGETS_THE_RULES_AT_THE_TOP"
      })
  void disagreeWhereOneOfThemIsWrong(Fault fault) {
    assertThat(LongStream.range(0, 2_000)).anyMatch(seed -> !differences(fault, seed).isEmpty());
  }

  /** The same for a fleet with domains and rules, and two workloads that have terms. */
  private static List<String> differences(Fault fault, long seed) {
    Dice dice = new Dice(seed);
    RandomFleet fleet = dice.fleet();
    return differences(fault, fleet, List.of(dice.workload(), dice.workload()));
  }

  /** The answers that one of them allows, and the other does not. */
  private static List<String> differences(Fault fault, RandomFleet fleet, List<Workload> batch) {
    World world = new World(fault, fleet.rules(), fleet.domains(), fleet.nodes(), Optional.empty());
    Set<List<Optional<String>>> lawful = new HashSet<>();
    addLawful(world, batch, List.of(), lawful);
    List<Optional<String>> places = new ArrayList<>(List.of(Optional.empty()));
    fleet.nodes().forEach(node -> places.add(Optional.of(node.name())));
    return answers(places, batch.size()).stream()
        .filter(answer -> judged(fleet, batch, answer).isEmpty() != lawful.contains(answer))
        .map(answer -> answer + " to " + batch + " in " + fleet)
        .toList();
  }

  /** Tries each of the oracle's candidates at each turn. */
  private static void addLawful(
      World world,
      List<Workload> batch,
      List<Optional<String>> answered,
      Set<List<Optional<String>>> lawful) {
    if (answered.size() == batch.size()) {
      lawful.add(answered);
      return;
    }
    Workload turn = batch.get(answered.size());
    List<Spot> candidates = Turns.candidates(world, turn, any -> true, new HashMap<>());
    if (candidates.isEmpty()) {
      addLawful(world, batch, with(answered, Optional.empty()), lawful);
    }
    for (Spot candidate : candidates) {
      World after = new World(world);
      after.place(turn, after.spot(candidate.name));
      addLawful(after, batch, with(answered, Optional.of(candidate.name)), lawful);
    }
  }

  private static List<List<Optional<String>>> answers(List<Optional<String>> places, int size) {
    if (size == 0) {
      return List.of(List.of());
    }
    return answers(places, size - 1).stream()
        .flatMap(shorter -> places.stream().map(place -> with(shorter, place)))
        .toList();
  }

  private static List<Optional<String>> with(List<Optional<String>> answer, Optional<String> next) {
    List<Optional<String>> longer = new ArrayList<>(answer);
    longer.add(next);
    return longer;
  }

  private static List<Finding> judged(
      RandomFleet fleet, List<Workload> batch, List<Optional<String>> answer) {
    Books books = new Books(fleet.nodes(), fleet.domains(), fleet.rules());
    return new Referee(books, Optional.empty(), Conduct.PLAIN)
        .judge(
            new Call.Assign(batch, List.of()),
            Assignments.of(
                batch.stream().map(Workload::name).toArray(String[]::new),
                answer.stream().map(node -> node.orElse(null)).toArray(String[]::new),
                List.of()));
  }
}
