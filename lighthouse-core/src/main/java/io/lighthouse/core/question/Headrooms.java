package io.lighthouse.core.question;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.core.budget.StepBudget;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Finds how often a mix of workloads fits, by placing it in ever greater numbers. */
public final class Headrooms {
  /** The steps of a question: some twenty seconds of one thread. */
  public static final long MOST_STEPS = 20_000_000;

  /** The most workloads that are placed at once. */
  private static final long MOST_AT_ONCE = 1_000_000;

  private final Distributor fleet;
  private final List<Headroom.Part> mix;
  private final StepBudget budget;

  /** Behind every name, so that none is in use. */
  private final String mark;

  private Headrooms(Distributor fleet, List<Headroom.Part> mix, StepBudget budget) {
    this.fleet = fleet;
    this.mix = mix;
    this.budget = budget;
    String free = "'";
    for (NodeState node : fleet.snapshot().nodes()) {
      for (Workload workload : node.workloads()) {
        while (workload.name().endsWith(free)) {
          free += "'";
        }
      }
    }
    mark = free;
  }

  /** How many rounds of a mix fit. The caller brings the fleet back to what it was. */
  public static Headroom answer(Distributor fleet, List<Headroom.Part> mix, StepBudget budget) {
    if (mix.isEmpty()) {
      throw new InvalidInputException("headroom", "mix", "empty", "at least one shape");
    }
    Set<String> names = new HashSet<>();
    for (Headroom.Part part : mix) {
      if (!names.add(part.shape().name())) {
        throw new InvalidInputException(
            "shape '" + part.shape().name() + "'", "name", "given twice", "each name once");
      }
    }
    return new Headrooms(fleet, mix, budget).answer();
  }

  private Headroom answer() {
    Optional<Long> bound = bound();
    if (inRound() > Math.min(MOST_AT_ONCE, budget.left())) {
      return new Headroom(0, bound, Optional.empty(), Optional.empty());
    }
    long end = Math.min(Headroom.MOST, MOST_AT_ONCE / inRound());
    long most = Math.min(end, bound.orElse(end));
    long fits = 0;
    long fails = most + 1;
    for (long tried = 1; fits < most && fits + 1 < fails && !budget.isOver(); ) {
      if (fits(tried)) {
        fits = tried;
        tried = fails > most ? Math.min(most, 2 * tried) : (fits + fails) / 2;
      } else {
        fails = tried;
        tried = (fits + fails) / 2;
      }
    }
    boolean ended = fits == Headroom.MOST || fits == end && fits < bound.orElse(Long.MAX_VALUE);
    if (ended || budget.isOver()) {
      return new Headroom(fits, bound, Optional.empty(), Optional.empty());
    }
    Optional<Refusal> refusal = refusal(fits + 1);
    boolean exact =
        refusal.isPresent()
            && mix.size() == 1
            && EveryPlacement.isPlain(fleet, List.of(mix.get(0).shape()))
            && !fleet.strategy().mayDecline()
            && !isCappedAcross(mix.get(0).shape());
    return new Headroom(
        fits, exact ? Optional.of(fits) : bound, refusal.flatMap(Headrooms::first), refusal);
  }

  /**
   * Whether rules of placed workloads cap the members of a shape's groups in domains that overlap.
   * Then the nodes that are chosen first decide how many fit. Domains within each other, such as
   * racks in zones, do no harm; nor do the node and the fleet, within and around all.
   */
  private boolean isCappedAcross(Workload shape) {
    Set<String> levels = new TreeSet<>();
    List<NodeState> nodes = fleet.snapshot().nodes();
    for (NodeState node : nodes) {
      for (Workload workload : node.workloads()) {
        for (Rule rule : workload.terms().rules()) {
          if (rule instanceof Rule.OfGroup of
              && shape.aversionGroups().contains(of.group())
              && of.limitForNewcomers(true) < Integer.MAX_VALUE) {
            levels.add(of.level());
          }
        }
      }
    }
    levels.removeAll(List.of(Rule.NODE, Rule.FLEET));
    return levels.stream()
        .anyMatch(
            one ->
                levels.stream()
                    .anyMatch(
                        other -> !isWithin(nodes, one, other) && !isWithin(nodes, other, one)));
  }

  /** Whether the nodes of each domain of a level are in one domain of another, or all in none. */
  private static boolean isWithin(List<NodeState> nodes, String inner, String outer) {
    Map<String, String> outerOf = new HashMap<>();
    for (NodeState node : nodes) {
      String there = node.domains().getOrDefault(outer, "");
      String before = outerOf.putIfAbsent(node.domains().getOrDefault(inner, ""), there);
      if (before != null && !before.equals(there)) {
        return false;
      }
    }
    return true;
  }

  private boolean fits(long rounds) {
    return place(rounds, tried -> tried.assign(batch(rounds)).allPlaced()).orElse(false);
  }

  /** Empty where the sums of the next round are out of range. */
  private Optional<Refusal> refusal(long rounds) {
    Optional<Assignments> answer =
        place(
            rounds,
            tried -> {
              List<Workload> batch = batch(rounds);
              // All but the last round first, so that few are explained.
              int last = batch.size() - Math.toIntExact(inRound());
              tried.assign(batch.subList(0, last));
              return tried.assign(batch.subList(last, batch.size()), AssignOption.EXPLAIN);
            });
    if (answer.map(Assignments::allPlaced).orElse(false)) {
      // It fits after the others, but not together with them.
      answer = place(rounds, tried -> tried.assign(batch(rounds), AssignOption.EXPLAIN));
    }
    return answer.flatMap(placed -> placed.refusals().stream().findFirst()).map(Headrooms::named);
  }

  /** Tries a placement of rounds; empty if the sums of more than one are out of range. */
  private <T> Optional<T> place(long rounds, Function<? super Distributor, T> placement) {
    budget.spend(rounds * inRound());
    try {
      return Optional.of(fleet.tryOut(List.of(), placement));
    } catch (InvalidInputException invalid) {
      if (rounds > 1) {
        return Optional.empty();
      }
      throw ofShape(invalid);
    }
  }

  /** The same mistake, of the shape that was given. */
  private InvalidInputException ofShape(InvalidInputException invalid) {
    Optional<String> copy =
        invalid
            .thing()
            .filter(thing -> thing.kind() == InvalidInputException.Kind.WORKLOAD)
            .map(Thing::name)
            .filter(name -> name.endsWith(mark));
    return copy.map(
            name ->
                new InvalidInputException(
                    "shape '" + shape(name) + "'",
                    invalid.field(),
                    invalid.found(),
                    invalid.allowed()))
        .orElse(invalid);
  }

  private static Refusal named(Refusal refusal) {
    return new Refusal(
        shape(refusal.workload()), refusal.nodes(), refusal.counts(), refusal.nearest());
  }

  /** The name of the shape of a copy. */
  private static String shape(String copy) {
    return copy.substring(0, copy.lastIndexOf('-'));
  }

  private long inRound() {
    return mix.stream().mapToLong(Headroom.Part::copies).sum();
  }

  private List<Workload> batch(long rounds) {
    List<Workload> batch = new ArrayList<>();
    int number = 0;
    for (long round = 0; round < rounds; round++) {
      for (Headroom.Part part : mix) {
        for (int copy = 0; copy < part.copies(); copy++) {
          batch.add(part.shape().named(part.shape().name() + "-" + ++number + mark));
        }
      }
    }
    return batch;
  }

  /** The resource that is lacking on most nodes. A unit is no lack. */
  private static Optional<String> first(Refusal refusal) {
    Map<String, Integer> nodes = new HashMap<>();
    for (ReasonCount count : refusal.counts()) {
      if (count.kind() != Reason.Kind.UNIT) {
        String level = count.level().isEmpty() ? "" : "@" + count.level();
        count.resource().ifPresent(name -> nodes.merge(name + level, count.nodes(), Integer::sum));
      }
    }
    return nodes.entrySet().stream()
        .max(
            Map.Entry.<String, Integer>comparingByValue()
                .thenComparing(Map.Entry.<String, Integer>comparingByKey(Names.order()).reversed()))
        .map(Map.Entry::getKey);
  }

  /** How many rounds all that is left, together, can hold at most. */
  private Optional<Long> bound() {
    Deficits left = Deficits.of(fleet.snapshot());
    Map<String, BigDecimal> round = new HashMap<>();
    for (Headroom.Part part : mix) {
      Deficits.add(round, part.shape(), BigDecimal.valueOf(part.copies()));
    }
    Optional<Long> least = Optional.empty();
    for (Map.Entry<String, BigDecimal> need : round.entrySet()) {
      if (need.getValue().signum() > 0 && !left.isEndless(need.getKey())) {
        BigDecimal rounds = left.left(need.getKey()).divide(need.getValue(), 0, RoundingMode.FLOOR);
        long whole = rounds.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact();
        least = Optional.of(Math.min(whole, least.orElse(Long.MAX_VALUE)));
      }
    }
    return least;
  }
}
