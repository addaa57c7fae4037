package io.lighthouse.tests.oracle;

import io.lighthouse.api.Gang;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.Names;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** A batch, turn by turn, by one of the three strategies. */
final class Turns {
  private final String strategy;
  private final Rubric rubric;
  private World world;
  private final Outcome outcome = Outcome.none();

  private Turns(World world, String strategy, Rubric rubric) {
    this.world = world;
    this.strategy = strategy;
    this.rubric = rubric;
  }

  /** Places a batch in a copy of a world, and hands that to the receiver. */
  static Outcome of(
      World world,
      String strategy,
      Rubric rubric,
      List<Workload> batch,
      java.util.function.Consumer<World> after) {
    Turns turns = new Turns(new World(world), strategy, rubric);
    batch.forEach(workload -> turns.outcome.placed().put(workload.name(), null));
    turns.run(batch);
    after.accept(turns.world);
    return turns.outcome;
  }

  private void run(List<Workload> batch) {
    List<Workload> order = new ArrayList<>(batch);
    if (strategy.equals("bin-pack")) {
      order.sort(
          Comparator.<Workload, Score>comparing(
                  workload -> Score.of(Account.needs(workload.requirements()), rubric))
              .reversed()
              .thenComparing(Workload::name, Names.order()));
    }
    Set<String> done = new HashSet<>();
    for (Workload workload : order) {
      Optional<Gang> gang = workload.terms().gang();
      if (gang.isEmpty()) {
        turn(workload, spot -> true, outcome.placed(), outcome.why());
      } else if (done.add(gang.get().name())) {
        List<Workload> members =
            order.stream()
                .filter(
                    other ->
                        other.terms().gang().map(Gang::name).equals(Optional.of(gang.get().name())))
                .toList();
        gang(gang.get(), members);
      }
    }
  }

  /** One workload's turn, on some of the nodes. */
  private Spot turn(
      Workload workload,
      Predicate<Spot> among,
      Map<String, String> placed,
      Map<String, Map<String, List<Reason>>> why) {
    Spot chosen = choose(workload, among);
    if (chosen == null) {
      why.put(workload.name(), reasons(world, workload));
    } else {
      world.place(workload, chosen);
      placed.put(workload.name(), chosen.name);
    }
    return chosen;
  }

  static Map<String, List<Reason>> reasons(World world, Workload workload) {
    Question question = new Question(world, workload);
    Map<String, List<Reason>> reasons = new LinkedHashMap<>();
    world.spots.forEach(spot -> reasons.put(spot.name, question.reasons(spot)));
    return reasons;
  }

  private Spot choose(Workload workload, Predicate<Spot> among) {
    List<Spot> candidates = candidates(world, workload, among);
    if (candidates.isEmpty()) {
      return null;
    }
    return switch (strategy) {
      case "round-robin" -> {
        int from = world.last == null ? -1 : world.spots.indexOf(world.last);
        for (int step = 1; ; step++) {
          Spot next = world.spots.get((from + step) % world.spots.size());
          if (candidates.contains(next)) {
            yield next;
          }
        }
      }
      case "bin-pack" ->
          candidates.stream()
              .min(
                  Comparator.<Spot, Score>comparing(spot -> Score.of(spot.account.left, rubric))
                      .thenComparing(spot -> spot.name, Names.order()))
              .orElseThrow();
      default -> candidates.get(0);
    };
  }

  /** Section 7: those that fit, of these the friendly, of these the best by each preference. */
  static List<Spot> candidates(World world, Workload workload, Predicate<Spot> among) {
    Question question = new Question(world, workload);
    List<Spot> candidates = world.spots.stream().filter(among).filter(question::fits).toList();
    if (world.slip != Slip.PREFERS_BEFORE_AVERSION) {
      candidates = friendly(question, candidates);
    }
    List<Rule> preferences = new ArrayList<>(workload.terms().preferences());
    if (world.slip == Slip.TAKES_PREFERENCES_BACKWARDS) {
      java.util.Collections.reverse(preferences);
    }
    for (Rule preference : preferences) {
      long least =
          candidates.stream().mapToLong(spot -> question.excess(preference, spot)).min().orElse(0);
      candidates =
          candidates.stream().filter(spot -> question.excess(preference, spot) == least).toList();
    }
    return world.slip == Slip.PREFERS_BEFORE_AVERSION ? friendly(question, candidates) : candidates;
  }

  private static List<Spot> friendly(Question question, List<Spot> candidates) {
    List<Spot> friendly = candidates.stream().filter(question::friendly).toList();
    return friendly.isEmpty() ? candidates : friendly;
  }

  private void gang(Gang gang, List<Workload> members) {
    World before = world;
    Set<String> tried = new HashSet<>();
    Attempt best = null;
    while (true) {
      world = new World(before);
      Attempt attempt = new Attempt();
      Predicate<Spot> among =
          gang.within().isEmpty()
              ? spot -> true
              : spot ->
                  spot.at(gang.within().get()) != null
                      && !tried.contains(spot.at(gang.within().get()));
      for (Workload member : members) {
        Spot chosen = turn(member, among, attempt.placed, attempt.why);
        if (member == members.get(0) && gang.within().isPresent()) {
          if (chosen == null) {
            break;
          }
          String level = gang.within().get();
          attempt.domain = chosen.at(level);
          among = spot -> spot.isIn(level, chosen.at(level));
        }
      }
      if (attempt.placed.size() == members.size()) {
        outcome.placed().putAll(attempt.placed);
        members.forEach(member -> outcome.attempts().put(member.name(), tried.size() + 1));
        return;
      }
      Spot last = world.last;
      world = world.slip == Slip.LEAVES_A_GANG_BEHIND ? world : before;
      if (world.slip == Slip.KEEPS_THE_POSITION_OF_A_GANG && last != null) {
        world.last = world.spot(last.name);
      }
      boolean over =
          gang.within().isEmpty()
              || attempt.domain == null
              || world.slip == Slip.TRIES_ONE_DOMAIN_ONLY
              || world.slip == Slip.LEAVES_A_GANG_BEHIND;
      if (best == null || attempt.placed.size() > best.placed.size()) {
        best = attempt;
      }
      if (over) {
        break;
      }
      tried.add(attempt.domain);
    }
    outcome.why().putAll(best.why);
    GangRefusal refusal =
        new GangRefusal(
            gang.name(),
            members.size(),
            best.placed.size(),
            Optional.ofNullable(best.domain),
            gang.within().isEmpty() ? -1 : tried.size());
    members.forEach(member -> outcome.gangs().put(member.name(), refusal));
  }

  /** One try to place a gang. */
  private static final class Attempt {
    final Map<String, String> placed = new HashMap<>();
    final Map<String, Map<String, List<Reason>>> why = new HashMap<>();
    String domain;
  }

  /** A sum that infinities win, the negative before the positive. */
  private record Score(int infinity, BigDecimal sum) implements Comparable<Score> {
    static Score of(Map<String, Quantity> quantities, Rubric rubric) {
      Resources weights = rubric.weights();
      boolean positive = false;
      boolean negative = false;
      BigDecimal sum = BigDecimal.ZERO;
      for (int i = 0; i < weights.size(); i++) {
        BigDecimal weight = weights.quantity(i).toBigDecimal();
        Quantity quantity = quantities.getOrDefault(weights.name(i), Quantity.ZERO);
        if (quantity.isInfinite()) {
          positive |= quantity.signum() * weight.signum() > 0;
          negative |= quantity.signum() * weight.signum() < 0;
        } else {
          sum = sum.add(quantity.toBigDecimal().multiply(weight));
        }
      }
      return new Score(negative ? -1 : positive ? 1 : 0, sum);
    }

    @Override
    public int compareTo(Score other) {
      return infinity != 0 || other.infinity != 0
          ? Integer.compare(infinity, other.infinity)
          : sum.compareTo(other.sum);
    }
  }
}
