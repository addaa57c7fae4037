package io.lighthouse.core;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.RuleDescription;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.registry.Installed;
import io.lighthouse.core.registry.Registry;
import io.lighthouse.core.registry.StrategyRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Makes distributors, from an installed strategy by name or from a given strategy instance.
 *
 * <pre>{@code
 * Distributor fleet =
 *     Distributors.installed()
 *         .strategy("bin-pack")
 *         .rubric(Rubric.of("cpu", 1, "mem", "0.5"))
 *         .nodes(Node.of("n1", Resources.of("cpu", 6, "mem", "12.5")))
 *         .build();
 * }</pre>
 *
 * <p>An instance knows the strategies that were installed when it was made. Immutable and
 * thread-safe.
 */
public final class Distributors {
  private final StrategyRegistry registry;

  private Distributors(StrategyRegistry registry) {
    this.registry = registry;
  }

  /**
   * With the strategies on the module path and class path. They are searched for at every call.
   *
   * @return the strategies found, broken ones reported in {@link #faults}
   */
  public static Distributors installed() {
    return new Distributors(StrategyRegistry.installed());
  }

  /**
   * The same, and the strategies of a directory of plug-ins: every jar, and every sub-directory of
   * jars, is loaded apart from the others. A jar with a module descriptor is a module.
   *
   * @param plugins the directory
   * @return the strategies found, broken ones reported in {@link #faults}
   * @throws InvalidInputException if the directory cannot be read
   */
  public static Distributors installed(Path plugins) {
    return new Distributors(StrategyRegistry.installed(plugins));
  }

  /**
   * A distributor with a given strategy instance.
   *
   * @param strategy the strategy
   * @return what the distributor is to be made of
   * @throws io.lighthouse.api.error.LighthouseException if the strategy has no proper name
   */
  public static Builder of(PlacementStrategy strategy) {
    return new Builder(
        Installed.strategy(strategy, "class " + strategy.getClass().getName()), List.of());
  }

  /**
   * A distributor with a given placer, such as a lambda. It is one placer for this distributor and
   * its copies.
   *
   * @param name a name for it: lower-case letters, digits and hyphens
   * @param placer the placer
   * @return what the distributor is to be made of
   * @throws io.lighthouse.api.error.LighthouseException if the name is ill-formed
   */
  public static Builder of(String name, Placer placer) {
    return new Builder(
        Installed.strategy(
            new PlacementStrategy() {
              @Override
              public String name() {
                return name;
              }

              @Override
              public Placer newPlacer(Fleet fleet, Settings settings) {
                return placer;
              }
            },
            "class " + placer.getClass().getName()),
        List.of());
  }

  /**
   * The usable strategies.
   *
   * @return what is known of each, by name
   */
  public List<StrategyDescription> strategies() {
    return registry.strategies();
  }

  /**
   * The usable rules of plug-ins.
   *
   * @return what is known of each, by name
   */
  public List<RuleDescription> rules() {
    return registry.rules().usable();
  }

  /**
   * What is broken among the installed strategies.
   *
   * @return a message for each broken provider, with its class and jar, and for each name that is
   *     there more than once; empty where all is well
   */
  public List<String> faults() {
    return registry.faults();
  }

  /**
   * A strategy by name.
   *
   * @param name its name
   * @return the strategy
   * @throws InvalidInputException if there is none; the message lists those known
   * @throws io.lighthouse.api.error.LighthouseException if there is more than one of that name
   */
  public PlacementStrategy find(String name) {
    return registry.find(name).provider();
  }

  /**
   * A distributor with an installed strategy.
   *
   * @param name the name of the strategy
   * @return what the distributor is to be made of
   * @throws InvalidInputException if there is none; the message lists those known
   * @throws io.lighthouse.api.error.LighthouseException if there is more than one of that name
   */
  public Builder strategy(String name) {
    return new Builder(registry.find(name), registry.rules().installed());
  }

  /** What a distributor is made of. Not thread-safe; may be built more than once. */
  public static final class Builder {
    private final Installed<PlacementStrategy, StrategyDescription> strategy;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Domain> domains = new ArrayList<>();
    private final List<Rule> rules = new ArrayList<>();
    private final List<Installed<PlacementRule, RuleDescription>> plugins = new ArrayList<>();
    private final Map<String, String> settings = new TreeMap<>(Names.order());

    /** Null where none was given. */
    private Rubric rubric;

    /** Null for before the first. */
    private String lastPlaced;

    private Builder(
        Installed<PlacementStrategy, StrategyDescription> strategy,
        List<Installed<PlacementRule, RuleDescription>> known) {
      this.strategy = strategy;
      plugins.addAll(known);
    }

    /**
     * Adds a rule to those installed, so that workloads can use it by its name.
     *
     * @param rule the rule
     * @return this
     * @throws io.lighthouse.api.error.LighthouseException if the rule has no proper name
     */
    public Builder rule(PlacementRule rule) {
      plugins.add(Installed.rule(rule, "class " + rule.getClass().getName()));
      return this;
    }

    /**
     * Adds nodes behind those added before.
     *
     * @param more the nodes; their order counts
     * @return this
     */
    public Builder nodes(List<Node> more) {
      nodes.addAll(List.copyOf(more));
      return this;
    }

    /**
     * Adds nodes behind those added before.
     *
     * @param more the nodes; their order counts
     * @return this
     */
    public Builder nodes(Node... more) {
      return nodes(List.of(more));
    }

    /**
     * Declares domains, beside those declared before. What is given is what is left of each, with
     * all that the nodes bring along.
     *
     * @param more the domains
     * @return this
     */
    public Builder domains(List<Domain> more) {
      domains.addAll(List.copyOf(more));
      return this;
    }

    /**
     * Declares domains, beside those declared before.
     *
     * @param more the domains
     * @return this
     */
    public Builder domains(Domain... more) {
      return domains(List.of(more));
    }

    /**
     * Adds rules for all members of their groups, behind those added before.
     *
     * @param more the rules
     * @return this
     * @throws InvalidInputException if one is a {@link Rule.Where} or a {@link Rule.Skew} of 0
     */
    public Builder rules(List<Rule> more) {
      List<Rule> added = List.copyOf(more);
      for (int i = 0; i < added.size(); i++) {
        checkOfFleet(rules.size() + i, added.get(i));
      }
      rules.addAll(added); // All are checked before any is added.
      return this;
    }

    private static void checkOfFleet(int index, Rule rule) {
      if (rule instanceof Rule.Where) {
        throw new InvalidInputException(
            "fleet", "rules[" + index + "]", "where", "a rule about a group");
      }
      if (rule instanceof Rule.Skew skew && skew.skew() < 1) {
        throw new InvalidInputException(
            "fleet", "rules[" + index + "].skew", "0", "a whole number from 1");
      }
    }

    /**
     * Adds rules for all members of their groups, behind those added before.
     *
     * @param more the rules
     * @return this
     */
    public Builder rules(Rule... more) {
      return rules(List.of(more));
    }

    /**
     * Gives the problem a rubric. A strategy without use for it ignores it.
     *
     * @param weights the rubric
     * @return this
     */
    public Builder rubric(Rubric weights) {
      rubric = weights;
      return this;
    }

    /**
     * Sets settings of the strategy.
     *
     * @param values values by name
     * @return this
     */
    public Builder settings(Map<String, String> values) {
      settings.putAll(Map.copyOf(values)); // All are checked before any is set.
      return this;
    }

    /**
     * Sets a setting of the strategy.
     *
     * @param name its name
     * @param value its value
     * @return this
     */
    public Builder setting(String name, String value) {
      settings.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
      return this;
    }

    /**
     * Restores the round-robin position: the node that took the last placed workload.
     *
     * @param node the name of a node
     * @return this
     */
    public Builder lastPlaced(String node) {
      lastPlaced = node;
      return this;
    }

    /**
     * Makes the distributor.
     *
     * @return a new one, with a state of its own
     * @throws InvalidInputException if a name is taken twice, a quantity is out of range, or a
     *     setting is unknown, wrong or missing. Also if no node has the name given to {@link
     *     #lastPlaced}, or a workload on a node uses a rule of a plug-in that is not installed
     * @throws io.lighthouse.api.error.StrategyException if the strategy fails
     */
    public Distributor build() {
      FleetOperations operations = operations();
      for (Node node : nodes) {
        operations.fleet.checkKnownToPlaced(node.workloads());
      }
      return new LedgerDistributor(operations, 0);
    }

    /**
     * Makes the distributor of a state that was saved, also where a plug-in was removed since.
     * Unlike {@link #build}, it accepts workloads on nodes whose rules are not installed. They keep
     * their nodes and can be released. A call that needs such a rule fails, such as one that moves
     * the workload.
     *
     * @return a new one, with a state of its own
     * @throws InvalidInputException as {@link #build}, but for rules of workloads on nodes
     * @throws io.lighthouse.api.error.StrategyException if the strategy fails
     */
    public Distributor restore() {
      return new LedgerDistributor(operations(), 0);
    }

    private FleetOperations operations() {
      Ledger ledger = new Ledger();
      ledger.nodeChanges().load(nodes, domains, rules);
      if (lastPlaced != null) {
        ledger.lastPlaced(ledger.nodes().node(lastPlaced));
      }
      ledger.commit();
      Map<String, String> given = Collections.unmodifiableMap(new TreeMap<>(settings));
      return new FleetOperations(ledger, strategy, given, rubric, new Registry<>("rule", plugins));
    }
  }
}
