package io.lighthouse.benchmarks.run;

import io.lighthouse.benchmarks.quality.Contender;
import io.lighthouse.benchmarks.quality.InstanceSet;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The cases of the parts about quality. */
public final class QualitySuite {
  /** Budgets in seconds, as texts. */
  public static final List<String> BUDGETS = List.of("0.1", "1", "10");

  /** The budgets of {@code pack} for all instances of a set with known optima. */
  public static final List<String> WHOLE_BUDGETS = List.of("0.2", "1", "10");

  /** Limits of the moves of a plan; 0 for no limit. */
  public static final List<Integer> MOVES = List.of(10, 50, 200, 1_000, 0);

  /** Searching contenders are compared on a sample of vector packing: every {@value}th instance. */
  public static final int SAMPLE = 8;

  /** The same for triplets, of which there are fewer. */
  public static final int TRIPLETS = 4;

  public static final List<InstanceSet> REASSIGNMENT =
      List.of(
          InstanceSet.REASSIGNMENT_1,
          InstanceSet.REASSIGNMENT_2,
          InstanceSet.REASSIGNMENT_3,
          InstanceSet.REASSIGNMENT_4,
          InstanceSet.REASSIGNMENT_5);

  public static final List<InstanceSet> SERVERS =
      List.of(InstanceSet.SERVERS_C1, InstanceSet.SERVERS_C2, InstanceSet.SERVERS_C3);

  /** Of the size of larger instances, for what ends by itself. */
  public static final List<InstanceSet> ROADEF =
      List.of(InstanceSet.ROADEF_B1, InstanceSet.ROADEF_B6, InstanceSet.ROADEF_B10);

  public static final List<InstanceSet> LARGE =
      List.of(InstanceSet.LARGE_80, InstanceSet.LARGE_95, InstanceSet.HUGE_80);

  public static final List<Contender> AT_ONCE =
      List.of(
          Contender.PRIORITIZED,
          Contender.ROUND_ROBIN,
          Contender.BIN_PACK,
          Contender.SPREAD,
          Contender.BALANCE);

  private static final List<Contender> AFTERWARDS =
      List.of(
          Contender.FIRST_FIT_AND_ROOM, Contender.NEXT_FIT_AND_PLAN, Contender.FIRST_FIT_AND_PLAN);

  private static final List<Contender> SEARCHING =
      List.of(Contender.PACK, Contender.TIMEFOLD, Contender.BTRPLACE);

  /** Those that have a variable for each workload on each node, too. */
  private static final List<Contender> ON_SMALL_SETS =
      List.of(Contender.PACK, Contender.TIMEFOLD, Contender.BTRPLACE, Contender.CP_SAT);

  /** For the largest fleet, where the others take minutes or refuse most. */
  private static final List<Contender> ON_HUGE_SETS =
      List.of(Contender.SPREAD, Contender.BALANCE, Contender.PACK_BY_DEFAULT);

  private final Profile profile;
  private final Set<InstanceSet> sets;

  /** The cases of some sets: those that are there. */
  public QualitySuite(Profile profile, Set<InstanceSet> sets) {
    this.profile = profile;
    this.sets = sets;
  }

  public List<Case> cases(Part part) {
    return switch (part) {
      case VECTOR_PACKING -> {
        List<Case> cases = vectors(InstanceSet.VECTOR_PACKING, SAMPLE);
        cases.addAll(vectors(InstanceSet.TRIPLETS, TRIPLETS));
        yield cases;
      }
      case REASSIGNMENT -> {
        List<Case> cases = all(REASSIGNMENT, BUDGETS.subList(0, 2), ON_SMALL_SETS);
        ROADEF.forEach(set -> cases.addAll(atOnce(set)));
        yield cases;
      }
      case SERVERS -> all(SERVERS, BUDGETS, SEARCHING);
      case FLEETS -> {
        List<Case> cases =
            all(List.of(InstanceSet.FLEETS_80, InstanceSet.FLEETS_95), BUDGETS, SEARCHING);
        for (Contender who : AFTERWARDS) {
          cases.add(0, place(InstanceSet.FLEETS_80, who, "", 1));
        }
        yield cases;
      }
      case LARGE -> large();
      case CONSOLIDATION ->
          MOVES.stream().map(moves -> consolidate(profile.atMost(1_000), moves)).toList();
      default -> throw new IllegalArgumentException(part + " is not about quality");
    };
  }

  public static Case place(InstanceSet set, Contender who, String seconds, int every) {
    return Case.of(QualityRun.PLACE + " set who seconds every", set, who, seconds, every);
  }

  private static Case consolidate(int nodes, int moves) {
    return Case.of(QualityRun.CONSOLIDATE + " nodes moves", nodes, moves);
  }

  /** A sample with every contender, then all instances with {@code pack}. */
  private List<Case> vectors(InstanceSet set, int some) {
    List<Case> cases = new ArrayList<>();
    if (!sets.contains(set)) {
      return cases;
    }
    int sample = profile == Profile.SMOKE ? 50 : some;
    int every = profile == Profile.SMOKE ? sample : 1;
    for (Contender who : AT_ONCE) {
      cases.add(place(set, who, "", every));
    }
    Set<Case> searches =
        new LinkedHashSet<>(searches(set, BUDGETS.subList(0, 2), ON_SMALL_SETS, sample));
    searches.addAll(searches(set, BUDGETS, ON_SMALL_SETS, sample));
    searches.addAll(searches(set, WHOLE_BUDGETS, List.of(Contender.PACK), every)); // The longest.
    cases.addAll(searches);
    return cases;
  }

  private List<Case> all(List<InstanceSet> of, List<String> budgets, List<Contender> whose) {
    List<Case> cases = new ArrayList<>();
    for (InstanceSet set : of) {
      cases.addAll(atOnce(set));
      cases.addAll(sets.contains(set) ? searches(set, budgets, whose, 1) : List.of());
    }
    return cases;
  }

  private List<Case> searches(
      InstanceSet set, List<String> budgets, List<Contender> whose, int every) {
    List<Case> cases = new ArrayList<>();
    for (Contender who : whose) {
      for (String seconds : budgets(budgets)) {
        if (who.isThere() && who.takes(Double.parseDouble(seconds))) {
          cases.add(place(set, who, seconds, every));
        }
      }
    }
    return cases;
  }

  /** The largest fleet is left out where it only matters that everything runs. */
  private List<Case> large() {
    List<Case> cases = new ArrayList<>(atOnce(InstanceSet.LARGE_80));
    cases.addAll(atOnce(InstanceSet.LARGE_95));
    if (profile != Profile.SMOKE) {
      cases.add(place(InstanceSet.LARGE_95, Contender.PACK_BY_DEFAULT, "", 1));
      cases.add(place(InstanceSet.LARGE_95, Contender.PACK, BUDGETS.get(2), 1));
      ON_HUGE_SETS.forEach(who -> cases.add(place(InstanceSet.HUGE_80, who, "", 1)));
    }
    return cases;
  }

  private List<Case> atOnce(InstanceSet set) {
    List<Case> cases = new ArrayList<>();
    if (sets.contains(set)) {
      AT_ONCE.forEach(who -> cases.add(place(set, who, "", 1)));
    }
    return cases;
  }

  private List<String> budgets(List<String> some) {
    return profile == Profile.SMOKE ? List.of(some.get(0)) : some;
  }
}
