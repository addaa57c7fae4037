package io.lighthouse.tests.contract;

import static io.lighthouse.tests.contract.BrokenLaw.unlessEqual;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;

/**
 * What the laws of {@link StrategyContract} stand on: the strategy, scenarios, watch and report.
 */
abstract class ContractFrame {
  private static final int CALLERS = 3;

  ContractFrame() {}

  /**
   * The strategy under test.
   *
   * @return an instance; a new one at every call, where the strategy can be made anew
   */
  protected abstract PlacementStrategy strategy();

  /**
   * The settings to test it with.
   *
   * @return values by name; none by default
   */
  protected Map<String, String> settings() {
    return Map.of();
  }

  /**
   * The rubric of the problems, which a strategy may use or ignore.
   *
   * @return a rubric over {@code cpu} and {@code mem}, by default
   */
  protected Optional<Rubric> rubric() {
    return Optional.of(Rubric.of("cpu", 1, "mem", "0.5"));
  }

  /**
   * How long a check may take before the strategy is taken to never end.
   *
   * @return two minutes, by default
   */
  protected Duration patience() {
    return Duration.ofMinutes(2);
  }

  /**
   * Whether the strategy's choice depends on resources that the rubric gives no weight.
   *
   * @return true, by default; false brings in {@link
   *     StrategyContract#aResourceMovedToADomainChangesNothing}
   */
  protected boolean looksAtEveryResource() {
    return true;
  }

  /**
   * Whether the choice of a node for a workload without terms depends on the domains of the nodes.
   *
   * @return false, by default; true takes out {@link StrategyContract#plainProblemsAnswerAsBefore}
   */
  protected boolean looksAtDomains() {
    return false;
  }

  /**
   * Simpler strategies that the one under test never places fewer workloads than, whatever the
   * batch. They run on Lighthouse's own engine, with {@link #rubric}.
   *
   * @return strategies that take no settings; none by default. A list that is not empty turns on
   *     {@link StrategyContract#neverPlacesFewerThanASimplerStrategy}
   */
  protected List<PlacementStrategy> neverFewerThan() {
    return List.of();
  }

  /**
   * Makes a distributor. Override it only to test a distributor of your own.
   *
   * @param strategy an instance
   * @param fleet the fleet; it goes with {@link #rubric}
   * @return a new distributor
   */
  protected Distributor newDistributor(PlacementStrategy strategy, RandomFleet fleet) {
    return Subject.build(builder(strategy).settings(settings()), fleet).build();
  }

  /** A builder with the rubric. */
  final Distributors.Builder builder(PlacementStrategy strategy) {
    Distributors.Builder builder = Distributors.of(strategy);
    rubric().ifPresent(builder::rubric);
    return builder;
  }

  /**
   * Scenarios for most laws.
   *
   * @return any scenarios
   */
  @Provide
  public Arbitrary<Scenario> scenarios() {
    return Scenarios.any();
  }

  /**
   * Scenarios with several changes at once in most of their calls.
   *
   * @return scenarios, of changes as values for the greater part
   */
  @Provide
  public Arbitrary<Scenario> changing() {
    return Scenarios.changing();
  }

  /**
   * Scenarios for callers at once.
   *
   * @return a batch for each caller
   */
  @Provide
  public Arbitrary<Scenario> crowded() {
    return Scenarios.crowded(CALLERS);
  }

  /** The strategy as the laws see it. */
  final Subject subject() {
    return new Subject(this::strategy, conduct(), this::newDistributor);
  }

  /** Reads from a placer for an empty fleet how it goes about batches. */
  private Conduct conduct() {
    PlacementStrategy strategy = strategy();
    AtomicReference<Placer> placer = new AtomicReference<>();
    PlacementStrategy probe =
        new PlacementStrategy() {
          @Override
          public String name() {
            return strategy.name();
          }

          @Override
          public List<Setting> settings() {
            return strategy.settings();
          }

          @Override
          public Placer newPlacer(Fleet fleet, Settings settings) {
            placer.set(strategy.newPlacer(fleet, settings));
            return placer.get();
          }
        };
    builder(probe).settings(settings()).build();
    Optional<BatchOrder> order =
        placer.get() instanceof BatchPlacer ? Optional.empty() : Optional.of(placer.get().order());
    return new Conduct(order, strategy.mayDecline());
  }

  /** Two instances describe themselves alike; settings have proper names and defaults. */
  final void describes(CallRecord record) {
    PlacementStrategy one = strategy();
    PlacementStrategy other = strategy();
    record.add("two instances: " + description(one));
    unlessEqual(Law.DESCRIPTION, "a second instance", description(one), description(other));
    List<String> names = one.settings().stream().map(Setting::name).toList();
    for (String name :
        Stream.concat(Stream.of(one).map(PlacementStrategy::name), names.stream()).toList()) {
      if (name == null || !name.matches("[a-z][a-z0-9-]*")) {
        throw new BrokenLaw(
            Law.DESCRIPTION, "a name", "lower-case letters, digits and hyphens", "'" + name + "'");
      }
    }
    unlessEqual(
        Law.DESCRIPTION, "settings of one name each", names.stream().distinct().toList(), names);
    Map<String, String> necessary = new TreeMap<>(settings());
    one.settings().stream()
        .filter(setting -> !setting.defaultValue().isEmpty())
        .forEach(setting -> necessary.remove(setting.name()));
    Optional<String> refused = refusal(Map.of());
    if (refused.isPresent() && refusal(necessary).isPresent()) {
      throw new BrokenLaw(Law.DESCRIPTION, "its own defaults", "a placer", refused.orElseThrow());
    }
  }

  private static List<Object> description(PlacementStrategy strategy) {
    return Arrays.asList(
        strategy.name(),
        strategy.description(),
        strategy.settings(),
        strategy.sequential(),
        strategy.mayDecline());
  }

  /** Why a new instance makes no placer with these settings; empty where it makes one. */
  private Optional<String> refusal(Map<String, String> settings) {
    try {
      builder(strategy()).settings(settings).build();
      return Optional.empty();
    } catch (InvalidInputException | LighthouseException thrown) {
      return Optional.of(thrown.toString());
    }
  }

  /** Plays a scenario before the referee, and raises what it finds of some laws. */
  final void judge(Scenario scenario, Law... laws) {
    check(
        laws[0],
        scenario,
        run -> {
          List<Finding> broken = new ArrayList<>(run.judged());
          broken.removeIf(finding -> !List.of(laws).contains(finding.law()));
          if (!broken.isEmpty()) {
            throw new BrokenLaw(broken);
          }
        });
  }

  /** Runs a check of a scenario under watch. */
  final void check(Law law, Scenario scenario, Consumer<ScenarioRun> check) {
    check(law, record -> check.accept(new ScenarioRun(subject(), scenario, record)));
  }

  /**
   * Runs a check under watch. One law alone reports calls of scenarios that fail. Where a call that
   * a law makes besides them fails, that law reports it.
   */
  final void check(Law law, Consumer<CallRecord> check) {
    CallRecord record = new CallRecord();
    try {
      Watch.over(getClass(), patience(), record, () -> check.accept(record));
    } catch (BrokenLaw broken) {
      if (broken.law() != Law.SOUND_CALLS || law == Law.SOUND_CALLS) {
        throw new AssertionError(report(broken, record), broken.getCause());
      }
    } catch (LighthouseException failed) {
      BrokenLaw broken = new BrokenLaw(law, "a call besides those above", "an answer", failed);
      throw new AssertionError(report(broken, record), failed);
    }
  }

  private String report(BrokenLaw broken, CallRecord record) {
    StringBuilder text = new StringBuilder("broken law: " + broken.law().sentence());
    text.append("\n  strategy '").append(strategy().name()).append("', settings ");
    text.append(settings()).append(", rubric ");
    text.append(rubric().map(rubric -> rubric.weights().toString()).orElse("none"));
    for (Finding finding : broken.findings()) {
      text.append("\n  ").append(finding);
      text.append(
          finding.law() == broken.law() ? "" : "\n    of the law: " + finding.law().sentence());
    }
    return text.append("\nrecord:").append(record).toString();
  }
}
