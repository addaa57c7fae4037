package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.quality.Contender;
import io.lighthouse.benchmarks.quality.InstanceSet;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The cases of the parts about quality. */
final class QualitySuite {
  /** Budgets in seconds, as texts. */
  static final List<String> BUDGETS = List.of("0.1", "1", "10");

  /** Limits of the moves of a plan; 0 for no limit. */
  static final List<Integer> MOVES = List.of(10, 50, 200, 1_000, 0);

  /**
   * In the quick profile, searching contenders are compared on a sample of vector packing: every
   * {@value}th instance.
   */
  static final int SAMPLE = 8;

  static final List<InstanceSet> REASSIGNMENT =
      List.of(
          InstanceSet.REASSIGNMENT_1,
          InstanceSet.REASSIGNMENT_2,
          InstanceSet.REASSIGNMENT_3,
          InstanceSet.REASSIGNMENT_4,
          InstanceSet.REASSIGNMENT_5);

  static final List<InstanceSet> SERVERS =
      List.of(InstanceSet.SERVERS_C1, InstanceSet.SERVERS_C2, InstanceSet.SERVERS_C3);

  private static final List<Contender> AT_ONCE =
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

  private final Profile profile;
  private final Set<InstanceSet> sets;

  /** The cases of some sets: those that are there. */
  QualitySuite(Profile profile, Set<InstanceSet> sets) {
    this.profile = profile;
    this.sets = sets;
  }

  List<Case> cases(Part part) {
    return switch (part) {
      case VECTOR_PACKING -> vectors();
      case REASSIGNMENT -> all(REASSIGNMENT, BUDGETS.subList(0, 2));
      case SERVERS -> all(SERVERS, BUDGETS);
      case FLEETS -> {
        List<Case> cases =
            new ArrayList<>(all(List.of(InstanceSet.FLEETS_80, InstanceSet.FLEETS_95), BUDGETS));
        for (Contender who : AFTERWARDS) {
          cases.add(0, place(InstanceSet.FLEETS_80, who, "", 1));
        }
        yield cases;
      }
      case LARGE -> atOnce(InstanceSet.LARGE_80);
      case CONSOLIDATION ->
          MOVES.stream().map(moves -> consolidate(profile.atMost(1_000), moves)).toList();
      default -> throw new IllegalArgumentException(part + " is not about quality");
    };
  }

  static Case place(InstanceSet set, Contender who, String seconds, int every) {
    return Case.of(QualityRun.PLACE + " set who seconds every", set, who, seconds, every);
  }

  private static Case consolidate(int nodes, int moves) {
    return Case.of(QualityRun.CONSOLIDATE + " nodes moves", nodes, moves);
  }

  private List<Case> vectors() {
    if (!sets.contains(InstanceSet.VECTOR_PACKING)) {
      return List.of();
    }
    int sample = profile == Profile.FULL ? 1 : profile == Profile.QUICK ? SAMPLE : 50;
    int every = profile == Profile.SMOKE ? sample : 1;
    List<Case> cases = new ArrayList<>();
    for (Contender who : AT_ONCE) {
      cases.add(place(InstanceSet.VECTOR_PACKING, who, "", every));
    }
    Set<Case> searches = new LinkedHashSet<>(vectors(BUDGETS.subList(0, 2), SEARCHING, sample));
    searches.addAll(vectors(BUDGETS.subList(0, 2), List.of(Contender.PACK), every));
    searches.addAll(vectors(BUDGETS, SEARCHING, sample)); // What takes longest at the end.
    cases.addAll(searches);
    return cases;
  }

  private List<Case> vectors(List<String> of, List<Contender> whose, int every) {
    List<Case> cases = new ArrayList<>();
    for (String seconds : budgets(of)) {
      for (Contender who : whose) {
        if (who.takes(Double.parseDouble(seconds))) {
          cases.add(place(InstanceSet.VECTOR_PACKING, who, seconds, every));
        }
      }
    }
    return cases;
  }

  private List<Case> all(List<InstanceSet> of, List<String> budgets) {
    List<Case> cases = new ArrayList<>();
    for (InstanceSet set : of) {
      cases.addAll(atOnce(set));
      for (Contender who : sets.contains(set) ? SEARCHING : List.<Contender>of()) {
        for (String seconds : budgets(budgets)) {
          if (who.takes(Double.parseDouble(seconds))) {
            cases.add(place(set, who, seconds, 1));
          }
        }
      }
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
