package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.ClusterDice;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.referee.ClusterReferee;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import net.jqwik.api.Property;

/**
 * The laws of domains, rules and gangs as properties, for one strategy; a part of {@link
 * StrategyContract}, which is what to extend.
 *
 * <p>Each looks at the same {@link #clusters} random fleets, of seeds 1, 2, and so on, so that a
 * seed that is reported breaks the law again. Most are judged by one {@link ClusterReferee}, which
 * goes through the life of each fleet once for all of them.
 */
public abstract class ClusterLaws extends ContractFrame {
  /** What was found in the lives of a contract's fleets, and what they came to see. */
  private record Lives(List<Finding> findings, List<String> told, Map<String, Integer> seen) {}

  private static final Map<Class<?>, Lives> LIVES = new ConcurrentHashMap<>();

  /** What has to come up in some life, or the lives would show little. */
  private static final List<String> CASES =
      List.of(
          "placed",
          "refused",
          "a batch placed",
          "a gang placed, ganged",
          "a gang refused, ganged",
          "released",
          "moved",
          "sent to a node",
          "regrouped",
          "a node added",
          "a node resized",
          "a node closed",
          "a domain declared",
          "a domain resized",
          "a domain closed or opened",
          "a change refused",
          "reason CORDONED at a domain",
          "reason MISSING at a domain",
          "reason SHORT at a domain",
          "reason WARD at a domain",
          "reason UNIT",
          "reason NO_DOMAIN",
          "reason NOT_SELECTED",
          "reason CROWDED",
          "reason ALONE",
          "reason SKEWED");

  /** For {@link StrategyContract}. */
  ClusterLaws() {}

  /**
   * How many random fleets each law of domains, rules and gangs is tried on.
   *
   * @return at least 1; 150 by default
   */
  protected int clusters() {
    return 150;
  }

  /**
   * Makes a distributor of a fleet with domains and rules. To be overridden only by who tests a
   * distributor of his own.
   *
   * @param strategy an instance
   * @param cluster the fleet
   * @return a new distributor
   */
  protected Distributor newDistributor(PlacementStrategy strategy, RandomFleet cluster) {
    Distributors.Builder builder =
        Distributors.of(strategy)
            .settings(settings())
            .nodes(cluster.nodes())
            .domains(cluster.domains())
            .rules(cluster.rules());
    rubric().ifPresent(builder::rubric);
    cluster.lastPlaced().ifPresent(builder::lastPlaced);
    return builder.build();
  }

  /**
   * Whether the strategy's choice depends on resources that the rubric gives no weight.
   *
   * @return true, by default; false brings in {@link #aResourceMovedToADomainChangesNothing}
   */
  protected boolean looksAtEveryResource() {
    return true;
  }

  private Distributor made(RandomFleet cluster) {
    return newDistributor(strategy(), cluster);
  }

  // ---- judged by the referee, life by life ----

  /** {@link Law#DOMAIN_BOOKS}. */
  @Property(tries = 1)
  public void domainsAreAccountedAsNodes() {
    lives(Law.DOMAIN_BOOKS, "domainsAreAccountedAsNodes");
    lives(Law.BOOKS, "domainsAreAccountedAsNodes");
  }

  /** {@link Law#DOMAIN_ROOM}. */
  @Property(tries = 1)
  public void neverOvercommitsADomain() {
    lives(Law.DOMAIN_ROOM, "neverOvercommitsADomain");
    lives(Law.ROOM, "neverOvercommitsADomain");
  }

  /** {@link Law#DOMAIN_WARD}. */
  @Property(tries = 1)
  public void neverPlacesBelowAWardedDomain() {
    lives(Law.DOMAIN_WARD, "neverPlacesBelowAWardedDomain");
  }

  /** {@link Law#DOMAIN_CLOSED}. */
  @Property(tries = 1)
  public void neverPlacesInAClosedDomain() {
    lives(Law.DOMAIN_CLOSED, "neverPlacesInAClosedDomain");
  }

  /** {@link Law#SELECTION}. */
  @Property(tries = 1)
  public void placesOnlyWhereSelected() {
    lives(Law.SELECTION, "placesOnlyWhereSelected");
  }

  /** {@link Law#UNITS}. */
  @Property(tries = 1)
  public void obeysUnits() {
    lives(Law.UNITS, "obeysUnits");
  }

  /** {@link Law#MOST}. */
  @Property(tries = 1)
  public void mostHoldsAtEveryMoment() {
    lives(Law.MOST, "mostHoldsAtEveryMoment");
  }

  /** {@link Law#LEAST}. */
  @Property(tries = 1)
  public void leastHoldsAtTheTurn() {
    lives(Law.LEAST, "leastHoldsAtTheTurn");
  }

  /** {@link Law#SKEW}. */
  @Property(tries = 1)
  public void skewHoldsAtTheTurn() {
    lives(Law.SKEW, "skewHoldsAtTheTurn");
  }

  /** {@link Law#REFUSAL}, where domains and rules have a say. */
  @Property(tries = 1)
  public void refusesByDomainsAndRulesOnlyWhereNothingFits() {
    lives(Law.REFUSAL, "refusesByDomainsAndRulesOnlyWhereNothingFits");
  }

  /** {@link Law#REASONS}, of domains and rules. */
  @Property(tries = 1)
  public void tellsTrueReasonsOfDomainsAndRules() {
    lives(Law.REASONS, "tellsTrueReasonsOfDomainsAndRules");
  }

  /** {@link Law#BEST}. */
  @Property(tries = 1)
  public void candidatesAreTheBest() {
    lives(Law.BEST, "candidatesAreTheBest");
  }

  /** {@link Law#GANG}, and {@link Law#POSITION}, which a gang that is undone leaves as it was. */
  @Property(tries = 1)
  public void gangsAreWholeOrGone() {
    lives(Law.GANG, "gangsAreWholeOrGone");
    lives(Law.POSITION, "gangsAreWholeOrGone");
  }

  /** The lives of these fleets come to see every kind of refusal, change and gang. */
  @Property(tries = 1)
  public void clustersReachTheInterestingCases() {
    check(
        "clustersReachTheInterestingCases",
        minutes -> {
          Lives lives = lives(minutes);
          List<String> missing = new ArrayList<>(CASES);
          missing.removeAll(lives.seen().keySet());
          if (!missing.isEmpty() && lives.findings().isEmpty() && clusters() >= 150) {
            throw new AssertionError("never seen: " + missing + " of " + lives.seen());
          }
        });
  }

  // ---- said in two ways ----

  /** {@link Law#PREFERENCE}; not asked of a strategy that may decline. */
  @Property(tries = 1)
  public void preferencesNeverRefuse() {
    if (!strategy().mayDecline()) {
      each("preferencesNeverRefuse", ClusterTwins::preferences);
    }
  }

  /** {@link Law#TOP_RULES}. */
  @Property(tries = 1)
  public void rulesAtTheTopAreRules() {
    each("rulesAtTheTopAreRules", ClusterTwins::rulesAtTheTop);
  }

  /** {@link Law#DOMAIN_NAMES}. */
  @Property(tries = 1)
  public void namesAndOrderOfDomainsSayNothing() {
    each("namesAndOrderOfDomainsSayNothing", ClusterTwins::otherNames);
  }

  /** {@link Law#DOMAIN_PLAIN}. */
  @Property(tries = 1)
  public void plainProblemsAnswerAsBefore() {
    each("plainProblemsAnswerAsBefore", ClusterTwins::plainProblems);
  }

  /** {@link Law#DOMAIN_BOOKS}; asked where {@link #looksAtEveryResource} says no. */
  @Property(tries = 1)
  public void aResourceMovedToADomainChangesNothing() {
    if (!looksAtEveryResource()) {
      each("aResourceMovedToADomainChangesNothing", ClusterTwins::movedResource);
    }
  }

  /** {@link Law#COPY}, {@link Law#WRITTEN_OUT} and {@link Law#RELEASE}, with domains and rules. */
  @Property(tries = 1)
  public void clustersAreCopiedWrittenOutAndReleasedWhole() {
    each("clustersAreCopiedWrittenOutAndReleasedWhole", ClusterTwins::copies);
  }

  private void each(String property, Consumer<ClusterTwins> law) {
    for (int seed = 1; seed <= clusters(); seed++) {
      int present = seed;
      check(
          property,
          minutes -> {
            minutes.add("seed " + present);
            law.accept(new ClusterTwins(new ClusterDice(present), minutes, this::made));
          });
    }
  }

  private void lives(Law law, String property) {
    check(
        property,
        minutes -> {
          Lives lives = lives(minutes);
          List<Finding> broken =
              lives.findings().stream().filter(finding -> finding.law() == law).toList();
          if (!broken.isEmpty()) {
            lives.told().forEach(minutes::add);
            throw new BrokenLaw(broken, null);
          }
        });
  }

  /** The lives, gone through when the first law asks; each law's first finding is kept. */
  private Lives lives(Minutes minutes) {
    Lives known = LIVES.get(getClass());
    if (known != null) {
      return known;
    }
    Lives lives = new Lives(new ArrayList<>(), new ArrayList<>(), new TreeMap<>());
    for (int seed = 1; seed <= clusters(); seed++) {
      Minutes own = new Minutes();
      own.add("seed " + seed);
      ClusterDice dice = new ClusterDice(seed);
      RandomFleet cluster = dice.cluster();
      minutes.add("seed " + seed + " of the lives");
      Distributor fleet = made(cluster);
      for (Finding finding :
          new ClusterTrial(dice, cluster, fleet, subject().conduct(), own, lives.seen()).run()) {
        if (lives.findings().stream().noneMatch(other -> other.law() == finding.law())) {
          lives.findings().add(finding);
          lives.told().add(finding + own.toString());
        }
      }
    }
    LIVES.put(getClass(), lives);
    return lives;
  }
}
