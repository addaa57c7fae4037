package io.lighthouse.core.question;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.advice.Remedies.Kind;
import io.lighthouse.api.advice.Remedies.Remedy;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.budget.StepBudget;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds what would make a workload fit, and tries each out. For one use, in one thread. */
public final class RemedySearch {
  /** Sets of workloads that are released for a trial at most. */
  private static final int MOST_TRIALS = 4000;

  /**
   * The steps of a question: a plan of moves, and a million trials. Sets that are released are some
   * of them.
   */
  public static final long MOST_STEPS = StepBudget.OF_A_PLAN + 1_000_000;

  private static final List<Kind> OF_ONE_NODE =
      List.of(Kind.UNCORDON, Kind.TOLERATE, Kind.TAG, Kind.CUT, Kind.GROW);

  /** Has plans made for the fleet of the question. */
  @FunctionalInterface
  public interface Planning {
    Plan plan(PlanGoal goal, PlanLimits limits, StepBudget budget);
  }

  private final Distributor fleet;
  private final Workload workload;
  private final Set<String> spared;
  private final Planning planning;
  private final StepBudget budget;

  /** By kind, the best so far. */
  private final Map<Kind, RatedRemedy> best = new EnumMap<>(Kind.class);

  /** Kinds of which a cheaper remedy may have been missed. */
  private final Set<Kind> unproven = EnumSet.noneOf(Kind.class);

  private int trials;

  private RemedySearch(
      Distributor fleet,
      Workload workload,
      Set<String> spared,
      Planning planning,
      StepBudget budget) {
    this.fleet = fleet;
    this.workload = workload;
    this.spared = spared;
    this.planning = planning;
    this.budget = budget;
  }

  /**
   * The remedies for a workload that finds no node. The caller brings the fleet back to what it
   * was.
   *
   * @param spared names of placed workloads that are neither moved nor released
   */
  public static Remedies answer(
      Distributor fleet, Workload given, Set<String> spared, Planning planning, StepBudget budget) {
    Snapshot snapshot = fleet.snapshot();
    requirePlaced(spared, snapshot);
    Workload free = given;
    while (snapshot.nodeOf(free.name()).isPresent()) {
      free = free.named(free.name() + "'");
    }
    // A gang is no matter of a single node.
    Workload alone = free.withTerms(free.terms().withoutGang());
    Remedies found = new RemedySearch(fleet, alone, spared, planning, budget).answer();
    List<Remedy> named = new ArrayList<>();
    for (Remedy one : found.remedies()) {
      named.add(
          new Remedy(
              one.kind(),
              one.node(),
              one.workload().named(given.name()).withTerms(given.terms()),
              one.changes(),
              one.cost(),
              one.exact()));
    }
    return new Remedies(given.name(), found.prospect(), named, found.waits());
  }

  private static void requirePlaced(Set<String> workloads, Snapshot snapshot) {
    workloads.stream()
        .filter(name -> snapshot.nodeOf(name).isEmpty())
        .min(Names.order())
        .ifPresent(
            name -> {
              throw new InvalidInputException(
                  "distributor", "workload", "'" + name + "'", "the name of a placed workload");
            });
  }

  private Remedies answer() {
    if (!fleet.fitting(workload).isEmpty()) {
      return new Remedies(workload.name(), Remedies.Prospect.FITS, List.of(), List.of());
    }
    List<NodeVerdict> verdicts = fleet.explain(workload).nodes();
    Set<Reason> waits = new LinkedHashSet<>();
    for (List<Kind> kinds : List.of(OF_ONE_NODE, List.of(Kind.COMBINED))) {
      for (int i = 0; i < verdicts.size() && !budget.isOver(); i++) {
        NodeRepair repair = new NodeRepair(fleet, workload, verdicts.get(i));
        kinds.forEach(kind -> offer(kind, repair));
        repair.awaited().ifPresent(waits::add);
      }
      if (!best.isEmpty()) {
        break;
      }
    }
    boolean isCovered = !budget.isOver();
    best.replaceAll(
        (kind, rated) ->
            isCovered && !unproven.contains(kind) || isLeast(rated.remedy())
                ? rated
                : rated.unproven());
    if (!budget.isOver()) {
      move();
    }
    release();
    // Where a workload gives, less may fit an empty node than one that holds the giver.
    boolean possible =
        best.containsKey(Kind.MOVE)
            || best.containsKey(Kind.RELEASE)
            || budget.isOver()
            || fitsWhenAllIsReleased();
    return new Remedies(
        workload.name(),
        possible ? Remedies.Prospect.NOT_NOW : Remedies.Prospect.NEVER,
        best.values().stream().map(RatedRemedy::remedy).toList(),
        List.copyOf(waits));
  }

  /** Whether no remedy of its kind can cost less. All but a cut cost whole numbers. */
  private static boolean isLeast(Remedy remedy) {
    return remedy.kind() != Kind.CUT
        && remedy.cost().equals(Quantity.of(remedy.kind() == Kind.COMBINED ? 2 : 1));
  }

  private void offer(Kind kind, NodeRepair repair) {
    if (repair.isUntried(kind)) {
      unproven.add(kind);
    }
    Optional<RatedRemedy> rated = repair.of(kind);
    if (rated.isPresent() && !offer(rated.get()) && !repair.mayBeSkewed()) {
      unproven.add(kind);
    }
  }

  /**
   * Keeps a remedy that is better than the best of its kind, and works.
   *
   * @return false if it was tried out and does not work
   */
  private boolean offer(RatedRemedy rated) {
    Kind kind = rated.remedy().kind();
    if (!rated.isBetterThan(best.get(kind)) || budget.isOver()) {
      return true;
    }
    boolean works = rated.works(fleet, budget);
    if (works) {
      best.put(kind, rated);
    }
    return works;
  }

  private boolean fitsWhenAllIsReleased() {
    budget.spend(1);
    return fleet.tryOut(
        List.of(),
        tried -> {
          tried.releaseAll();
          return !tried.fitting(workload).isEmpty();
        });
  }

  private void move() {
    PlanGoal goal = new PlanGoal.Place(List.of(workload));
    StepBudget part = new StepBudget(Math.min(StepBudget.OF_A_PLAN, budget.left()));
    Plan plan = planning.plan(goal, PlanLimits.NONE.withPinned(spared), part);
    budget.spend(part.spent());
    if (!plan.unmet().isEmpty() || plan.moves() == 0) {
      return;
    }
    List<Change> moves = new ArrayList<>();
    String node = null;
    for (Change change : plan.changes()) {
      if (change instanceof Change.Assign assign) {
        node = assign.node();
      } else {
        moves.add(change);
      }
    }
    // It does not fit now, so one move is the fewest.
    offer(Kind.MOVE, node, moves, moves.size() == 1);
  }

  // ---- releasing ----

  /** A set of workloads on a node whose release lets it in. */
  private record Released(String node, List<String> workloads, BigDecimal score) {}

  /** The fewest, on whatever node; of equally many the smallest. */
  private void release() {
    List<List<Workload>> held = new ArrayList<>();
    List<String> nodes = new ArrayList<>();
    int largest = 0;
    for (NodeState node : fleet.snapshot().nodes()) {
      if (budget.isOver()) {
        break;
      }
      List<Workload> free =
          node.workloads().stream().filter(one -> !spared.contains(one.name())).toList();
      if (!free.isEmpty()
          && (needsOthers() || free.stream().anyMatch(Deficits::gives) || letsIn(free))) {
        held.add(free);
        nodes.add(node.name());
        largest = Math.max(largest, free.size());
      }
    }
    boolean local = isLocal();
    for (int size = 1; size <= largest && !budget.isOver(); size++) {
      Released least = null;
      for (int node = 0; node < nodes.size(); node++) {
        least = subsets(held.get(node), size, 0, new ArrayList<>(), least);
      }
      boolean over = trials >= MOST_TRIALS || budget.isOver();
      if (least != null) {
        boolean exact = !budget.isOver() && (size == 1 || local && !over);
        offerRelease(least.node, least.workloads, exact);
        return;
      }
      if (over) {
        releaseOneAfterAnother(held);
        return;
      }
    }
  }

  /** Whether the workload may fit beside others, and not on an empty node. */
  private boolean needsOthers() {
    return Stream.concat(workload.terms().rules().stream(), fleet.rules().stream())
        .anyMatch(rule -> !(rule instanceof Rule.OfGroup of && of.monotone()));
  }

  /** Whether only what is on a node itself can keep the workload off it. */
  private boolean isLocal() {
    return workload.terms().equals(Terms.NONE)
        && fleet.rules().isEmpty()
        && workload.aversionGroups().isEmpty()
        && fleet.snapshot().domains().isEmpty();
  }

  private boolean letsIn(List<Workload> released) {
    return !nodesAfter(released.stream().map(Workload::name).toList()).isEmpty();
  }

  private List<String> nodesAfter(List<String> released) {
    budget.spend(1);
    return fleet.tryOut(releases(released), tried -> tried.fitting(workload));
  }

  private Released subsets(
      List<Workload> held, int size, int from, List<Workload> chosen, Released least) {
    if (chosen.size() == size) {
      trials++;
      List<String> names = chosen.stream().map(Workload::name).toList();
      BigDecimal score = score(chosen);
      if (least != null && score.compareTo(least.score) >= 0) {
        return least;
      }
      List<String> open = nodesAfter(names);
      return open.isEmpty() ? least : new Released(open.get(0), names, score);
    }
    Released found = least;
    for (int i = from; i <= held.size() - (size - chosen.size()); i++) {
      if (trials >= MOST_TRIALS || budget.isOver()) {
        return found;
      }
      chosen.add(held.get(i));
      found = subsets(held, size, i + 1, chosen, found);
      chosen.remove(chosen.size() - 1);
    }
    return found;
  }

  /** By the rubric; each counts the same where there is none. */
  private BigDecimal score(List<Workload> chosen) {
    Optional<Rubric> rubric = fleet.rubric();
    BigDecimal score = BigDecimal.ZERO;
    for (Workload one : chosen) {
      Resources needs = one.requirements();
      for (int i = 0; rubric.isPresent() && i < needs.size(); i++) {
        Quantity weight = rubric.get().weights().get(needs.name(i)).orElse(Quantity.ZERO);
        score = score.add(weight.toBigDecimal().multiply(needs.quantity(i).toBigDecimal()));
      }
    }
    return score;
  }

  /** Beyond the limit of trials: node by node, the workload that was placed last first. */
  private void releaseOneAfterAnother(List<List<Workload>> held) {
    for (List<Workload> free : held) {
      if (budget.isOver()) {
        return;
      }
      List<String> names = new ArrayList<>();
      List<String> open = List.of();
      for (int i = free.size() - 1; i >= 0 && open.isEmpty() && !budget.isOver(); i--) {
        names.add(free.get(i).name());
        open = nodesAfter(names);
      }
      if (open.isEmpty()) {
        continue;
      }
      for (int i = names.size() - 1; i >= 0 && !budget.isOver(); i--) {
        List<String> fewer = new ArrayList<>(names);
        fewer.remove(i);
        List<String> still = nodesAfter(fewer);
        if (!still.isEmpty()) {
          names = fewer;
          open = still;
        }
      }
      offerRelease(open.get(0), names, false);
    }
  }

  private void offerRelease(String node, List<String> names, boolean exact) {
    offer(Kind.RELEASE, node, releases(names), exact);
  }

  /** Keeps a remedy of other workloads, which costs the number of its changes. */
  private void offer(Kind kind, String node, List<Change> changes, boolean exact) {
    Quantity cost = Quantity.of(changes.size());
    offer(new RatedRemedy(new Remedy(kind, node, workload, changes, cost, exact), BigDecimal.ZERO));
  }

  private static List<Change> releases(List<String> names) {
    return names.stream().<Change>map(Change.Release::new).toList();
  }
}
