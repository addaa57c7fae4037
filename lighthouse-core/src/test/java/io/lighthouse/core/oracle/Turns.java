package io.lighthouse.core.oracle;

import io.lighthouse.api.Gang;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A batch, turn by turn. */
final class Turns {
  private final Strategy strategy;
  private final Rubric rubric;
  private World world;
  private final Outcome outcome = Outcome.none();

  private Turns(World world, Strategy strategy, Rubric rubric) {
    this.world = world;
    this.strategy = strategy;
    this.rubric = rubric;
  }

  /** Places a batch in a world, which is used up, and hands what comes of it to the receiver. */
  static Outcome of(
      World world, Strategy strategy, Rubric rubric, List<Workload> batch, Consumer<World> after) {
    Turns turns = new Turns(world, strategy, rubric);
    batch.forEach(workload -> turns.outcome.placed().put(workload.name(), null));
    turns.run(batch, null);
    after.accept(turns.world);
    return turns.outcome;
  }

  /** What a world, which is used up, comes to before the turn of one of a batch, or of his gang. */
  static World before(
      Workload workload, World world, Strategy strategy, Rubric rubric, List<Workload> batch) {
    Turns turns = new Turns(world, strategy, rubric);
    turns.run(batch, workload);
    return turns.world;
  }

  private void run(List<Workload> batch, Workload end) {
    List<Workload> order = strategy.turns(batch, world, rubric);
    Set<String> done = new HashSet<>();
    for (Workload workload : order) {
      if (workload == end) {
        return;
      }
      Optional<Gang> gang = workload.terms().gang();
      if (gang.isEmpty()) {
        if (turn(workload, spot -> true, null, null, outcome.placed(), outcome.why()) != null) {
          outcome.done().add(workload.name());
        }
      } else if (done.add(gang.get().name())) {
        List<Workload> members =
            order.stream()
                .filter(
                    other ->
                        other.terms().gang().map(Gang::name).equals(Optional.of(gang.get().name())))
                .toList();
        if (members.contains(end)) {
          return;
        }
        gang(gang.get(), members);
      }
    }
  }

  /**
   * One workload's turn, on some of the nodes; of a gang that stays within a level, in this domain
   * of it, or in any where that is null.
   */
  private Spot turn(
      Workload workload,
      Predicate<Spot> among,
      String level,
      String domain,
      Map<String, String> placed,
      Map<String, Map<String, List<Reason>>> why) {
    Optional<Spot> chosen = choose(workload, among, world, strategy, rubric);
    if (chosen.isEmpty()) {
      why.put(workload.name(), reasons(world, workload, level, domain));
      return null;
    }
    if (world.fault == Fault.LOCKS_NOTHING) {
      pause();
    }
    world.place(workload, chosen.get());
    placed.put(workload.name(), chosen.get().name);
    return chosen.get();
  }

  /** Long enough for another caller to get in between, without a clock. */
  private static void pause() {
    for (int i = 0; i < 200; i++) {
      Thread.yield();
    }
  }

  /** What the nodes say that a gang may still go to; all, where there is none. */
  private static Map<String, List<Reason>> reasons(
      World world, Workload workload, String level, String domain) {
    Question question = new Question(world, workload);
    Map<String, List<Reason>> reasons = new LinkedHashMap<>();
    for (Spot spot : world.spots) {
      if (domain == null || domain.equals(spot.at(level))) {
        List<Reason> told = new ArrayList<>(question.reasons(spot));
        Reason nowhere = level == null ? null : new Reason.NoDomain(level, -1);
        if (level != null && spot.at(level) == null && !told.contains(nowhere)) {
          told.add(nowhere);
        }
        reasons.put(spot.name, told);
      }
    }
    return reasons;
  }

  /** Where a workload goes now, of some of the nodes. */
  static Optional<Spot> choose(
      Workload workload, Predicate<Spot> among, World world, Strategy strategy, Rubric rubric) {
    List<Spot> candidates = candidates(world, workload, among, new HashMap<>());
    return candidates.isEmpty()
        ? Optional.empty()
        : Optional.of(strategy.choose(workload, candidates, world, rubric));
  }

  /**
   * Those that fit, of these the friendly, of these the best by each preference. Why another one
   * that fits is none of them is put into a map.
   */
  static List<Spot> candidates(
      World world, Workload workload, Predicate<Spot> among, Map<Spot, Reason> passedOver) {
    Question question = new Question(world, workload);
    List<Spot> candidates = new ArrayList<>(world.spots);
    if (world.fault == Fault.OVERLOOKS_THE_LAST_NODE && candidates.size() > 1) {
      candidates.remove(candidates.size() - 1);
    }
    candidates.removeIf(spot -> !among.test(spot) || !question.fits(spot));
    if (world.fault != Fault.PREFERS_BEFORE_AVERSION) {
      keepTheFriendly(candidates, question, passedOver);
    }
    List<Rule> preferences = workload.terms().preferences();
    for (int i = 0; i < preferences.size(); i++) {
      boolean backwards = world.fault == Fault.TAKES_PREFERENCES_BACKWARDS;
      keepTheBest(candidates, question, backwards ? preferences.size() - 1 - i : i, passedOver);
    }
    if (world.fault == Fault.PREFERS_BEFORE_AVERSION) {
      keepTheFriendly(candidates, question, passedOver);
    }
    return candidates;
  }

  private static void keepTheFriendly(
      List<Spot> candidates, Question question, Map<Spot, Reason> passedOver) {
    if (candidates.stream().anyMatch(question::friendly)) {
      for (Spot spot : List.copyOf(candidates)) {
        if (!question.friendly(spot)) {
          candidates.remove(spot);
          passedOver.put(spot, new Reason.Averse(question.rivalries(spot)));
        }
      }
    }
  }

  private static void keepTheBest(
      List<Spot> candidates, Question question, int preference, Map<Spot, Reason> passedOver) {
    Map<Spot, Long> excesses = new LinkedHashMap<>();
    candidates.forEach(spot -> excesses.put(spot, question.excess(preference, spot)));
    long least = excesses.values().stream().min(Comparator.naturalOrder()).orElse(0L);
    excesses.forEach(
        (spot, excess) -> {
          if (excess > least) {
            candidates.remove(spot);
            passedOver.put(spot, new Reason.Worse(preference, excess, least));
          }
        });
  }

  private void gang(Gang gang, List<Workload> members) {
    String level = gang.within().orElse(null);
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
        Spot chosen = turn(member, among, level, attempt.domain, attempt.placed, attempt.why);
        if (member == members.get(0) && gang.within().isPresent()) {
          if (chosen == null) {
            break;
          }
          attempt.domain = chosen.at(level);
          among = spot -> spot.isIn(level, chosen.at(level));
        }
      }
      if (attempt.placed.size() == members.size()) {
        outcome.placed().putAll(attempt.placed);
        outcome.done().addAll(attempt.placed.keySet());
        members.forEach(member -> outcome.attempts().put(member.name(), tried.size() + 1));
        return;
      }
      int position = world.position;
      world = world.fault == Fault.LEAVES_A_GANG_BEHIND ? world : before;
      if (world.fault == Fault.KEEPS_THE_POSITION_OF_A_GANG) {
        world.position = position;
      }
      boolean over =
          gang.within().isEmpty()
              || attempt.domain == null
              || world.fault == Fault.TRIES_ONE_DOMAIN_ONLY
              || world.fault == Fault.LEAVES_A_GANG_BEHIND;
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
    final Map<String, String> placed = new LinkedHashMap<>();
    final Map<String, Map<String, List<Reason>>> why = new HashMap<>();
    String domain;
  }
}
