package io.lighthouse.tests.contract;

import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * The laws that the referee judges, as properties of one strategy; a part of {@link
 * StrategyContract}, which is what to extend.
 *
 * <p>Laws of nodes are tried on generated scenarios, which shrink. Laws of domains, rules and gangs
 * are tried on the scenarios of {@link #clusters} seeds, 1, 2, and so on, so that a reported seed
 * breaks the law again. The referee goes through each of these once for all laws.
 */
public abstract class JudgedLaws extends ContractFrame {
  /** The first finding of each law in the scenarios of the seeds, and the cases that they met. */
  private record Judged(List<Finding> findings, List<String> minutes, Set<String> seen) {}

  private static final Map<Class<?>, Judged> JUDGED = new ConcurrentHashMap<>();

  /** A number of seeds that is known to meet every interesting case. */
  private static final int ENOUGH = 150;

  /** For {@link StrategyContract}. */
  JudgedLaws() {}

  /**
   * How many random fleets each law of domains, rules and gangs is tried on.
   *
   * @return at least 1; 150 by default
   */
  protected int clusters() {
    return ENOUGH;
  }

  // ---- of nodes ----

  /**
   * {@link Law#SOUND_CALLS}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void answersEverySoundCall(@ForAll("scenarios") Scenario scenario) {
    judge(Law.SOUND_CALLS, "answersEverySoundCall", scenario);
  }

  /**
   * {@link Law#ANSWER}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void answersEveryWorkloadInTheOrderGiven(@ForAll("scenarios") Scenario scenario) {
    judge(Law.ANSWER, "answersEveryWorkloadInTheOrderGiven", scenario);
  }

  /**
   * {@link Law#NAMES}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void placesOnlyWhereEveryRequiredNameExists(@ForAll("scenarios") Scenario scenario) {
    judge(Law.NAMES, "placesOnlyWhereEveryRequiredNameExists", scenario);
  }

  /**
   * {@link Law#ROOM}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void neverOvercommits(@ForAll("scenarios") Scenario scenario) {
    judge(Law.ROOM, "neverOvercommits", scenario);
  }

  /**
   * {@link Law#NEGATIVES}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void neverPlacesBesideAnUnremediedNegative(@ForAll("scenarios") Scenario scenario) {
    judge(Law.NEGATIVES, "neverPlacesBesideAnUnremediedNegative", scenario);
  }

  /**
   * {@link Law#CORDON}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void neverPlacesOnACordonedNode(@ForAll("scenarios") Scenario scenario) {
    judge(Law.CORDON, "neverPlacesOnACordonedNode", scenario);
  }

  /**
   * {@link Law#AVERSION}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void usesAnAverseNodeOnlyWhereNoFriendlyOneFits(@ForAll("scenarios") Scenario scenario) {
    judge(Law.AVERSION, "usesAnAverseNodeOnlyWhereNoFriendlyOneFits", scenario);
  }

  /**
   * {@link Law#REFUSAL}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void refusesOnlyWhereNothingFits(@ForAll("scenarios") Scenario scenario) {
    judge(Law.REFUSAL, "refusesOnlyWhereNothingFits", scenario);
  }

  /**
   * {@link Law#REASONS}, of refusals.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void refusesWithTrueReasons(@ForAll("scenarios") Scenario scenario) {
    judge(Law.REASONS, "refusesWithTrueReasons", scenario);
  }

  /**
   * {@link Law#BOOKS}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void keepsExactBooksThroughAnyMixOfCalls(@ForAll("scenarios") Scenario scenario) {
    judge(Law.BOOKS, "keepsExactBooksThroughAnyMixOfCalls", scenario);
  }

  /**
   * {@link Law#RELEASE}: what comes back; and that nothing at all is left of it.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void releaseRestoresExactly(@ForAll("scenarios") Scenario scenario) {
    check(
        "releaseRestoresExactly",
        minutes -> {
          raise(Law.RELEASE, new Trial(subject(), scenario, minutes).judged((call, answer) -> {}));
          new Twins(subject(), new Minutes()).released(scenario);
        });
  }

  /**
   * {@link Law#POSITION}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void keepsTheRoundRobinPosition(@ForAll("scenarios") Scenario scenario) {
    judge(Law.POSITION, "keepsTheRoundRobinPosition", scenario);
  }

  // ---- of domains, rules and gangs ----

  /** {@link Law#DOMAIN_BOOKS}. */
  @Property(tries = 1)
  public void domainsAreAccountedAsNodes() {
    seeds(Law.DOMAIN_BOOKS, "domainsAreAccountedAsNodes");
    seeds(Law.BOOKS, "domainsAreAccountedAsNodes");
  }

  /** {@link Law#DOMAIN_ROOM}. */
  @Property(tries = 1)
  public void neverOvercommitsADomain() {
    seeds(Law.DOMAIN_ROOM, "neverOvercommitsADomain");
    seeds(Law.ROOM, "neverOvercommitsADomain");
  }

  /** {@link Law#DOMAIN_WARD}. */
  @Property(tries = 1)
  public void neverPlacesBelowAWardedDomain() {
    seeds(Law.DOMAIN_WARD, "neverPlacesBelowAWardedDomain");
  }

  /** {@link Law#DOMAIN_CLOSED}. */
  @Property(tries = 1)
  public void neverPlacesInAClosedDomain() {
    seeds(Law.DOMAIN_CLOSED, "neverPlacesInAClosedDomain");
  }

  /** {@link Law#SELECTION}. */
  @Property(tries = 1)
  public void placesOnlyWhereSelected() {
    seeds(Law.SELECTION, "placesOnlyWhereSelected");
  }

  /** {@link Law#UNITS}. */
  @Property(tries = 1)
  public void obeysUnits() {
    seeds(Law.UNITS, "obeysUnits");
  }

  /** {@link Law#MOST}. */
  @Property(tries = 1)
  public void mostHoldsAtEveryMoment() {
    seeds(Law.MOST, "mostHoldsAtEveryMoment");
  }

  /** {@link Law#LEAST}. */
  @Property(tries = 1)
  public void leastHoldsAtTheTurn() {
    seeds(Law.LEAST, "leastHoldsAtTheTurn");
  }

  /** {@link Law#SKEW}. */
  @Property(tries = 1)
  public void skewHoldsAtTheTurn() {
    seeds(Law.SKEW, "skewHoldsAtTheTurn");
  }

  /** {@link Law#REFUSAL}, by domains and rules. */
  @Property(tries = 1)
  public void refusesByDomainsAndRulesOnlyWhereNothingFits() {
    seeds(Law.REFUSAL, "refusesByDomainsAndRulesOnlyWhereNothingFits");
  }

  /** {@link Law#REASONS}, of domains and rules. */
  @Property(tries = 1)
  public void tellsTrueReasonsOfDomainsAndRules() {
    seeds(Law.REASONS, "tellsTrueReasonsOfDomainsAndRules");
  }

  /** {@link Law#BEST}. */
  @Property(tries = 1)
  public void candidatesAreTheBest() {
    seeds(Law.BEST, "candidatesAreTheBest");
  }

  /** {@link Law#GANG}, and {@link Law#POSITION}, which an undone gang leaves as it was. */
  @Property(tries = 1)
  public void gangsAreWholeOrGone() {
    seeds(Law.GANG, "gangsAreWholeOrGone");
    seeds(Law.POSITION, "gangsAreWholeOrGone");
  }

  /** The scenarios of the seeds come to every kind of refusal, change and gang. */
  @Property(tries = 1)
  public void clustersReachTheInterestingCases() {
    check(
        "clustersReachTheInterestingCases",
        minutes -> {
          Judged judged = judged(minutes);
          Set<String> missing = new TreeSet<>(Sightings.OF_DOMAINS);
          missing.removeAll(judged.seen());
          if (!missing.isEmpty() && judged.findings().isEmpty() && clusters() >= ENOUGH) {
            throw new AssertionError("never seen: " + missing + " of " + judged.seen());
          }
        });
  }

  private void seeds(Law law, String property) {
    check(
        property,
        minutes -> {
          Judged judged = judged(minutes);
          List<Finding> broken =
              judged.findings().stream().filter(finding -> finding.law() == law).toList();
          if (!broken.isEmpty()) {
            judged.minutes().forEach(minutes::add);
            throw new BrokenLaw(broken, null);
          }
        });
  }

  private Judged judged(Minutes minutes) {
    Judged known = JUDGED.get(getClass());
    if (known != null) {
      return known;
    }
    Sightings sightings = new Sightings();
    Judged judged = new Judged(new ArrayList<>(), new ArrayList<>(), sightings.seen());
    for (int seed = 1; seed <= clusters(); seed++) {
      minutes.add("the scenario of seed " + seed);
      Minutes own = new Minutes();
      own.add("seed " + seed);
      Trial trial = new Trial(subject(), Scenarios.ofSeed(seed), own);
      List<Finding> findings =
          trial.judged(
              (call, answer) -> sightings.look(call, answer, trial.distributor.snapshot()));
      for (Finding finding : findings) {
        if (judged.findings().stream().noneMatch(other -> other.law() == finding.law())) {
          judged.findings().add(finding);
          judged.minutes().add(finding + own.toString());
        }
      }
    }
    JUDGED.put(getClass(), judged);
    return judged;
  }
}
