package io.lighthouse.tests.contract;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.referee.Call;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Every law of a placement rule as properties, for one rule.
 *
 * <pre>{@code
 * class NearDataContractTest extends RuleContract {
 *   protected PlacementRule rule() {
 *     return new NearData();
 *   }
 *
 *   protected Map<String, List<String>> domains() {
 *     return Map.of("hops", List.of("0", "1", "5"));
 *   }
 * }
 * }</pre>
 *
 * <p><b>Needs</b> jqwik's engine in the test run, and a class without arguments to its constructor.
 * The engine calls the rule, as in production. A rule that throws, returns null or a negative
 * excess, or reads what it has not declared, breaks every law.
 */
public abstract class RuleContract {
  /** For subclasses. */
  protected RuleContract() {}

  /**
   * The rule.
   *
   * @return a new instance
   */
  protected abstract PlacementRule rule();

  /**
   * The settings of the rule under test.
   *
   * @return values by name; the defaults where this is not overridden
   */
  protected Map<String, String> settings() {
    return Map.of();
  }

  /**
   * The domains of the nodes, by level. Override it for a rule that reads domains.
   *
   * @return names of domains; racks and zones where this is not overridden
   */
  protected Map<String, List<String>> domains() {
    return Map.of("rack", List.of("r1", "r2", "r3"), "zone", List.of("a", "b"));
  }

  /**
   * Fleets whose nodes are in {@link #domains}, and workloads for them.
   *
   * @return the scenes that the laws are tried on
   */
  @Provide
  protected Arbitrary<RuleScene> scenes() {
    return RuleScene.in(domains());
  }

  /** Two instances describe themselves alike: a proper name, settings, and what the rule reads. */
  @Property(tries = 1)
  public void saysWhatItIs() {
    PlacementRule one = rule();
    PlacementRule other = rule();
    require(
        one.name() != null && one.name().matches("[a-z][a-z0-9-]*"),
        "its name is '" + one.name() + "'; allowed: lower-case letters, digits and hyphens");
    same("its name", one.name(), other.name());
    same("what it reads", Set.copyOf(one.reads()), Set.copyOf(other.reads()));
    Set<String> names = one.settings().stream().map(Setting::name).collect(Collectors.toSet());
    require(names.size() == one.settings().size(), "two of its settings have one name");
    require(
        names.containsAll(settings().keySet()),
        "it has the settings " + names + ", and is asked with " + settings().keySet());
  }

  /**
   * It judges every workload on every node at every moment, with a text where it forbids.
   *
   * @param scene a fleet and its workloads
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void alwaysAnswers(@ForAll("scenes") RuleScene scene) {
    check(
        scene,
        fleet -> {
          answered(judged(fleet, scene.asking()));
          for (Workload comer : scene.before()) {
            fleet.assign(comer);
            answered(judged(fleet, scene.asking()));
          }
        });
  }

  private static void answered(Map<String, Reason.ByRule> judged) {
    judged.forEach(
        (node, against) -> {
          require(against.excess() > 0, "it forbids " + node + " with the excess 0");
          require(!against.text().isBlank(), "it forbids " + node + " without a text");
        });
  }

  /**
   * The same state gives the same judgement, at every moment: repeated, in a trial, after it, on a
   * copy, made anew.
   *
   * @param scene a fleet and its workloads
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void saysTheSameOfTheSame(@ForAll("scenes") RuleScene scene) {
    check(scene, fleet -> saysTheSame(fleet, scene));
  }

  private void saysTheSame(Distributor fleet, RuleScene scene) {
    List<Workload> asking = scene.comers();
    for (Workload comer : scene.before()) {
      saysTheSame(fleet, asking);
      asking = asking.subList(1, asking.size());
      Map<String, Map<String, Reason.ByRule>> first = judged(fleet, asking);
      for (String node : fleet.fitting(comer)) {
        List<Workload> others = asking;
        fleet.tryOut(
            List.of(new Change.Assign(comer, node)),
            tried -> {
              same("made anew in a trial", anew(tried, others), judged(tried, others));
              return node;
            });
      }
      same("after changes and their undoing", first, judged(fleet, asking));
      fleet.assign(comer);
    }
    saysTheSame(fleet, asking);
  }

  private void saysTheSame(Distributor fleet, List<Workload> asking) {
    Map<String, Map<String, Reason.ByRule>> first = judged(fleet, asking);
    same("made anew", anew(fleet, asking), first);
    same("asked again", first, judged(fleet, asking));
    same("on a copy", first, judged(fleet.copy(), asking));
  }

  /** What a new instance says in a fleet made anew. */
  private Map<String, Map<String, Reason.ByRule>> anew(Distributor fleet, List<Workload> asking) {
    return judged(RuleScene.with(rule(), RandomFleet.of(fleet.snapshot())), asking);
  }

  /**
   * A change of what it does not read changes none of its judgements.
   *
   * @param scene a fleet and its workloads
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void readsOnlyWhatItDeclares(@ForAll("scenes") RuleScene scene) {
    Set<Reads> reads = rule().reads();
    check(
        scene,
        fleet -> {
          for (Workload comer : scene.before()) {
            Map<String, Reason.ByRule> before = judged(fleet, scene.asking());
            Optional<String> changed = fleet.assign(comer).nodeOf(comer.name());
            Map<String, Reason.ByRule> after = judged(fleet, scene.asking());
            for (Node node : scene.nodes()) {
              if (!mayChange(reads, changed.equals(Optional.of(node.name())))) {
                same(
                    node.name() + ", after " + comer.name() + " goes to " + changed.orElse("none"),
                    before.get(node.name()),
                    after.get(node.name()));
              }
            }
          }
        });
  }

  /** Whether a placement may change the judgement of a node; the fleet is a domain of each node. */
  private static boolean mayChange(Set<Reads> reads, boolean onTheNode) {
    return reads.contains(Reads.FLEET)
        || reads.contains(Reads.DOMAIN_ACCOUNTS)
        || reads.contains(Reads.DOMAIN_PLACED)
        || onTheNode && (reads.contains(Reads.ACCOUNTS) || reads.contains(Reads.PLACED));
  }

  /**
   * As a hard rule it only forbids; as a preference it refuses no workload.
   *
   * @param scene a fleet and its workloads
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void forbidsAndPrefersByItsExcess(@ForAll("scenes") RuleScene scene) {
    check(
        scene,
        fleet -> {
          for (Workload comer : scene.before()) {
            Map<String, Reason.ByRule> against = judged(fleet, comer);
            List<String> fits = fleet.fitting(comer);
            List<String> allowed = fits.stream().filter(one -> !against.containsKey(one)).toList();
            Workload bound = RuleScene.bound(comer, named());
            same("where it may go", allowed, fleet.fitting(bound));
            Workload preferring = comer.withTerms(comer.terms().preferring(named()));
            same("where it would rather go", fits, fleet.fitting(preferring));
            Assignments answer = fleet.assign(bound);
            require(
                answer.allPlaced() == !allowed.isEmpty(),
                comer.name() + " is placed: " + answer + "; allowed: " + allowed);
          }
        });
  }

  /** Its judgements are the same in processes of other locale, time zone, hashes and processors. */
  @Property(tries = 1)
  public void saysTheSameInAFreshProcess() {
    CallRecord record = new CallRecord();
    try {
      FreshProcesses.of(this, 42).check(record);
    } catch (BrokenLaw broken) {
      throw new AssertionError(report(broken.getMessage(), "record:" + record), broken);
    }
  }

  /** The record of its judgements in a scene. */
  CallRecord played(RuleScene scene) {
    CallRecord record = new CallRecord();
    record.add("made from " + scene.fleet());
    Distributor fleet = RuleScene.with(rule(), scene.fleet());
    for (Workload comer : scene.before()) {
      Call call = new Call.Assign(List.of(comer), List.of());
      record.add(call.toString());
      record.add("answered " + call.on(fleet));
      record.add("judges " + scene.asking().name() + ": " + judged(fleet, scene.asking()));
    }
    return record;
  }

  /** Tries a law on the fleet of a scene. */
  private void check(RuleScene scene, Consumer<Distributor> law) {
    try {
      law.accept(RuleScene.with(rule(), scene.fleet()));
    } catch (AssertionError broken) {
      throw new AssertionError(report(broken.getMessage(), "scene: " + scene), broken);
    } catch (LighthouseException failed) {
      throw new AssertionError(report(failed.toString(), "scene: " + scene), failed);
    }
  }

  private String report(String finding, String record) {
    return finding + "\n  rule '" + rule().name() + "', settings " + settings() + "\n" + record;
  }

  private Rule.Named named() {
    return new Rule.Named(rule().name(), settings());
  }

  /** The reason of the rule against each node, for a workload that comes now. */
  private Map<String, Reason.ByRule> judged(Distributor fleet, Workload workload) {
    Map<String, Reason.ByRule> judged = new LinkedHashMap<>();
    Workload asks = RuleScene.bound(workload, named());
    for (NodeVerdict verdict : fleet.explain(asks).nodes()) {
      for (Reason reason : verdict.reasons()) {
        if (reason instanceof Reason.ByRule against) {
          judged.put(verdict.node(), against);
        }
      }
    }
    return judged;
  }

  /** The same for several workloads, by their names. */
  private Map<String, Map<String, Reason.ByRule>> judged(Distributor fleet, List<Workload> asking) {
    Map<String, Map<String, Reason.ByRule>> judged = new LinkedHashMap<>();
    asking.forEach(workload -> judged.put(workload.name(), judged(fleet, workload)));
    return judged;
  }

  private static void same(String what, Object expected, Object found) {
    String text = what + ": expected " + Objects.requireNonNullElse(expected, "no reason");
    require(
        Objects.equals(expected, found),
        text + ", found " + Objects.requireNonNullElse(found, "no reason"));
  }

  private static void require(boolean holds, String finding) {
    if (!holds) {
      throw new AssertionError(finding);
    }
  }
}
