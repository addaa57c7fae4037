package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.advice.Choice.Candidate;
import io.lighthouse.api.advice.Choice.Decider;
import io.lighthouse.api.advice.Choice.Order;
import io.lighthouse.api.advice.Choice.Term;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.RandomGenerator;

/**
 * The first candidate is the node that {@code assign} chooses, and the scores are those that a
 * naive count in BigDecimal has.
 */
class ChoiceProperties {
  private static final int FLEETS = 100;
  private static final Map<String, Order> ORDERS =
      Map.of(
          "prioritized", Order.NODES,
          "round-robin", Order.TURN,
          "bin-pack", Order.SCORE,
          "spread", Order.FULLEST,
          "balance", Order.VARIANCE,
          "pack", Order.BATCH);
  private static final Map<String, BigDecimal> WEIGHTS =
      Map.of("cpu", BigDecimal.ONE, "mem", new BigDecimal("0.5")); // As those of Fleets.

  private interface Check {
    void check(Distributor fleet, List<Workload> batch, Random random);
  }

  private static void each(Iterable<String> strategies, int seed, int fleets, Check check) {
    Random random = new Random(seed);
    RandomGenerator<Scenario> scenarios = Scenarios.of(6, 6, 6).generator(1000);
    RandomGenerator<Workload> workloads = Scenarios.workloads().generator(1000);
    for (int i = 0; i < fleets; i++) {
      Scenario scenario = scenarios.next(random).value();
      List<Workload> batch = new ArrayList<>();
      for (int w = 0; w < 5; w++) {
        batch.add(workloads.next(random).value());
      }
      for (String strategy : strategies) {
        Distributor fleet = Fleets.played(scenario, strategy);
        check.check(fleet, Fleets.named("newcomer", batch), random);
      }
    }
  }

  @Example
  void ofEveryWorkloadOfABatchTheFirstIsTheNodeThatAssignChooses() {
    int[] placed = new int[1];
    each(
        ORDERS.keySet().stream().sorted().toList(),
        51,
        FLEETS,
        (fleet, batch, random) -> {
          Snapshot before = fleet.snapshot();
          Assignments assigned = fleet.copy().assign(batch);
          for (int i = 0; i < batch.size(); i++) {
            Choice choice = fleet.advisor().choice(i, batch);
            assertThat(choice.chosen()).as("%s", choice).isEqualTo(assigned.node(i));
            assertThat(choice.chosen()).isEqualTo(fleet.explain(i, batch).chosen());
            placed[0] += choice.placed() ? 1 : 0;
          }
          assertThat(fleet.snapshot().nodes()).isEqualTo(before.nodes());
          assertThat(fleet.generation()).isEqualTo(before.generation());
        });
    assertThat(placed[0]).isGreaterThan(FLEETS);
  }

  @Example
  void scoresOrdersAndDecidersAreThoseOfANaiveCount() {
    Map<Decider, Integer> seen = new EnumMap<>(Decider.class);
    each(
        ORDERS.keySet().stream().sorted().toList(),
        52,
        4 * FLEETS,
        (fleet, batch, random) -> {
          Choice choice = fleet.advisor().choice(0, batch.subList(0, 1));
          assertThat(wrong(fleet, batch.get(0), choice))
              .as("%s on %s", choice, fleet.snapshot().nodes())
              .isEmpty();
          seen.merge(choice.decider(), 1, Integer::sum);
        });
    assertThat(seen)
        .containsKeys(
            Decider.NOTHING, Decider.AVERSION, Decider.SCORE, Decider.NAME, Decider.NODES);
  }

  @Example
  void findsEveryPlantedMistake() {
    Map<String, UnaryOperator<Choice>> mistakes =
        Map.of(
            "the first two swapped",
            choice -> with(choice, swapped(choice.candidates())),
            "a score off by a little",
            choice -> with(choice, offByALittle(choice.candidates())),
            "one left out",
            choice -> with(choice, choice.candidates().subList(0, choice.candidates().size() - 1)),
            "a term left out",
            choice -> with(choice, withoutATerm(choice.candidates())),
            "another decider",
            choice ->
                new Choice(
                    choice.workload(),
                    choice.order(),
                    choice.descending(),
                    choice.placed(),
                    choice.candidates(),
                    choice.decider() == Decider.SCORE ? Decider.NAME : Decider.SCORE,
                    ""));
    Map<String, Integer> caught = new TreeMap<>();
    each(
        List.of("bin-pack", "spread"),
        53,
        FLEETS,
        (fleet, batch, random) -> {
          Choice choice = fleet.advisor().choice(0, batch.subList(0, 1));
          mistakes.forEach(
              (name, mistake) -> {
                if (choice.candidates().size() > 2) {
                  Choice planted = mistake.apply(choice);
                  if (!planted.equals(choice)) {
                    assertThat(wrong(fleet, batch.get(0), planted)).as(name).isNotEmpty();
                    caught.merge(name, 1, Integer::sum);
                  }
                }
              });
        });
    assertThat(caught).containsOnlyKeys(mistakes.keySet());
  }

  private static Choice with(Choice choice, List<Candidate> candidates) {
    return new Choice(
        choice.workload(),
        choice.order(),
        choice.descending(),
        choice.placed(),
        candidates,
        choice.decider(),
        choice.detail());
  }

  private static List<Candidate> swapped(List<Candidate> candidates) {
    List<Candidate> swapped = new ArrayList<>(candidates);
    Collections.swap(swapped, 0, 1);
    return swapped;
  }

  private static List<Candidate> offByALittle(List<Candidate> candidates) {
    List<Candidate> off = new ArrayList<>(candidates);
    Candidate last = off.get(off.size() - 1);
    Quantity score = last.score().orElseThrow();
    Optional<Quantity> other =
        Optional.of(score.isInfinite() ? score : score.plus(Quantity.of("0.000000001")));
    off.set(
        off.size() - 1,
        new Candidate(last.node(), last.averse(), last.excess(), other, last.terms()));
    return off;
  }

  private static List<Candidate> withoutATerm(List<Candidate> candidates) {
    List<Candidate> without = new ArrayList<>(candidates);
    Candidate first = without.get(0);
    List<Term> terms = first.terms().subList(0, Math.max(0, first.terms().size() - 1));
    without.set(
        0, new Candidate(first.node(), first.averse(), first.excess(), first.score(), terms));
    return without;
  }

  /** What is wrong with a choice for a workload that comes alone; empty where nothing is. */
  private static String wrong(Distributor fleet, Workload workload, Choice choice) {
    Order order = ORDERS.get(fleet.strategy().name());
    List<Candidate> candidates = choice.candidates();
    List<String> names = candidates.stream().map(Candidate::node).toList();
    List<String> fitting = fleet.fitting(workload);
    boolean asked = order == Order.BATCH || !fitting.isEmpty();
    if (choice.order() != (asked ? order : Order.STRATEGY) || choice.descending()) {
      return "the order " + choice.order();
    }
    if (names.size() != fitting.size() || !new HashSet<>(names).equals(new HashSet<>(fitting))) {
      return "the nodes " + names + ", not " + fitting;
    }
    if (!fleet.copy().assign(workload).node(0).equals(choice.chosen())) {
      return "the chosen one";
    }
    List<NodeState> nodes = fleet.snapshot().nodes();
    List<NodeState> listed =
        names.stream()
            .map(name -> nodes.stream().filter(one -> one.name().equals(name)).findAny())
            .map(Optional::orElseThrow)
            .toList();
    for (int i = 0; i < candidates.size(); i++) {
      Candidate candidate = candidates.get(i);
      Map<String, BigDecimal> terms = terms(order, listed.get(i), workload);
      Optional<String> score = score(order, fleet, listed.get(i), terms);
      if (!score.equals(candidate.score().map(ChoiceProperties::plain))) {
        return "the score of " + candidate.node() + ", which is " + score;
      }
      if (terms.size() != candidate.terms().size()) {
        return "the terms of " + candidate.node() + ", which are " + terms;
      }
      for (Term term : candidate.terms()) {
        if (!plain(term.value()).equals(plain(terms.get(term.name())))) {
          return "the term " + term + ", which is " + terms.get(term.name());
        }
      }
      if (candidate.averse() != averse(listed.get(i), workload)) {
        return "the aversion of " + candidate.node();
      }
    }
    int from = order == Order.BATCH ? 2 : 1; // Which one a search chose cannot be known.
    Decider decider =
        order == Order.BATCH && candidates.size() > 1 ? Decider.STRATEGY : Decider.NOTHING;
    for (int i = from; i < candidates.size(); i++) {
      Decider between = between(order, candidates, listed, nodes, i);
      if (between == null) {
        return names.get(i - 1) + " stands before " + names.get(i);
      }
      decider = i == 1 ? between : decider;
    }
    return choice.decider() == decider ? "" : "the decider, which is " + decider;
  }

  /** What decides between a candidate and the one before; null where they are the wrong way. */
  private static Decider between(
      Order order, List<Candidate> told, List<NodeState> listed, List<NodeState> nodes, int at) {
    if (told.get(at - 1).averse() != told.get(at).averse()) {
      return told.get(at).averse() ? Decider.AVERSION : null;
    }
    int byScore =
        order == Order.BATCH
            ? 0
            : told.get(at - 1).score().orElseThrow().compareTo(told.get(at).score().orElseThrow());
    if (byScore != 0) {
      boolean places = order == Order.NODES || order == Order.TURN;
      return byScore > 0 ? null : places ? Decider.NODES : Decider.SCORE;
    }
    NodeState a = listed.get(at - 1);
    NodeState b = listed.get(at);
    return order == Order.SCORE
        ? (Names.order().compare(a.name(), b.name()) < 0 ? Decider.NAME : null)
        : nodes.indexOf(a) < nodes.indexOf(b) ? Decider.NODES : null;
  }

  private static boolean averse(NodeState node, Workload workload) {
    return node.workloads().stream()
        .anyMatch(
            placed -> !Collections.disjoint(placed.aversionGroups(), workload.aversionGroups()));
  }

  /** Infinite ones are plus or minus ten to the power of 100. */
  private static final BigDecimal INFINITE = BigDecimal.TEN.pow(100);

  private static BigDecimal number(Quantity quantity) {
    return quantity.isInfinite()
        ? INFINITE.multiply(BigDecimal.valueOf(quantity.signum()))
        : quantity.toBigDecimal();
  }

  private static String plain(Quantity quantity) {
    return plain(number(quantity));
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  private static Map<String, BigDecimal> terms(Order order, NodeState node, Workload workload) {
    Map<String, BigDecimal> terms = new TreeMap<>();
    if (order == Order.SCORE) {
      WEIGHTS.forEach(
          (name, weight) ->
              node.left()
                  .get(name)
                  .ifPresent(
                      left ->
                          terms.put(
                              name,
                              left.isInfinite() ? number(left) : weight.multiply(number(left)))));
    }
    if (order == Order.FULLEST || order == Order.VARIANCE) {
      int bits = order == Order.FULLEST ? 30 : 24;
      Resources capacity = node.capacity();
      for (int i = 0; i < capacity.size(); i++) {
        Quantity all = capacity.quantity(i);
        if (!all.isInfinite() && all.signum() > 0) {
          BigDecimal left = number(node.left().get(capacity.name(i)).orElseThrow());
          BigDecimal need =
              workload
                  .requirements()
                  .get(capacity.name(i))
                  .map(ChoiceProperties::number)
                  .orElse(BigDecimal.ZERO)
                  .setScale(9, RoundingMode.CEILING);
          BigDecimal most = power(bits + 20);
          BigDecimal share =
              number(all)
                  .subtract(left)
                  .add(need)
                  .multiply(power(bits))
                  .divide(number(all), 0, RoundingMode.FLOOR);
          terms.put(capacity.name(i), share.min(most).max(most.negate()));
        }
      }
    }
    return terms;
  }

  private static BigDecimal power(int bits) {
    return BigDecimal.valueOf(2).pow(bits);
  }

  private static Optional<String> score(
      Order order, Distributor fleet, NodeState node, Map<String, BigDecimal> terms) {
    Snapshot snapshot = fleet.snapshot();
    List<String> names = snapshot.nodes().stream().map(NodeState::name).toList();
    int place = names.indexOf(node.name());
    return switch (order) {
      case NODES -> Optional.of(String.valueOf(place + 1));
      case TURN -> {
        int last = snapshot.lastPlaced().map(names::indexOf).orElse(-1);
        yield Optional.of(
            String.valueOf(place > last ? place - last : place - last + names.size()));
      }
      case SCORE -> Optional.of(plain(sum(terms)));
      case FULLEST ->
          Optional.of(
              plain(terms.values().stream().max(BigDecimal::compareTo).orElse(BigDecimal.ZERO)));
      case VARIANCE -> Optional.of(variance(new ArrayList<>(terms.values())).toString());
      default -> Optional.empty();
    };
  }

  /** The sum, where an infinite one swallows finite ones, and minus infinity all. */
  private static BigDecimal sum(Map<String, BigDecimal> terms) {
    for (BigDecimal infinite : List.of(INFINITE.negate(), INFINITE)) {
      if (terms.values().stream().anyMatch(one -> one.compareTo(infinite) == 0)) {
        return infinite;
      }
    }
    return terms.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** The variance of shares in parts of 2^24, in parts of 2^22, rounded to the nearest. */
  private static BigInteger variance(List<BigDecimal> shares) {
    if (shares.isEmpty()) {
      return BigInteger.ZERO;
    }
    BigDecimal count = BigDecimal.valueOf(shares.size());
    BigDecimal mean =
        shares.stream()
            .reduce(BigDecimal.ZERO, BigDecimal::add)
            .divide(count, 0, RoundingMode.FLOOR);
    BigDecimal squares = BigDecimal.ZERO;
    for (BigDecimal share : shares) {
      BigDecimal off = share.subtract(mean).abs().min(power(28));
      squares = squares.add(off.multiply(off));
    }
    return squares
        .divide(count, 0, RoundingMode.FLOOR)
        .divide(power(26), 0, RoundingMode.HALF_UP)
        .toBigInteger();
  }
}
