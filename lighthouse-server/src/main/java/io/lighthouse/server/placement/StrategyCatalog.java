package io.lighthouse.server.placement;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.StrategyWords;
import io.lighthouse.json.write.AnswerWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The strategies by the words that callers use: those of the documented call, and the names of
 * those installed. A plug-in that did not end is refused while it still runs. Thread-safe.
 */
public final class StrategyCatalog {
  /** Where our own strategies live; they only choose, and always end, however slow the machine. */
  private static final String OURS = "io.lighthouse.strategies";

  private final Distributors distributors;

  /** How many decisions of each strategy were given up and still run. */
  private final Map<String, Integer> refused = new ConcurrentHashMap<>();

  /**
   * A catalog that refuses nothing yet.
   *
   * @param distributors the installed strategies
   */
  public StrategyCatalog(Distributors distributors) {
    this.distributors = distributors;
  }

  /**
   * A distributor to be made with an installed strategy.
   *
   * @param name the name of the strategy
   * @return a builder with nothing but the strategy
   * @throws InvalidInputException if there is none of that name
   */
  public Distributors.Builder builder(String name) {
    return distributors.strategy(name);
  }

  /** What is known of a strategy; nothing where there is none, or more than one. */
  Optional<StrategyDescription> description(String name) {
    return distributors.strategies().stream().filter(one -> one.name().equals(name)).findFirst();
  }

  /**
   * All words that are allowed, for a message.
   *
   * @return such as {@code one of BinPack, bin-pack}
   */
  public String allowed() {
    return Stream.concat(
            StrategyWords.all().keySet().stream(),
            distributors.strategies().stream().map(StrategyDescription::name))
        .collect(Collectors.joining(", ", "one of ", ""));
  }

  boolean isRefused(String name) {
    return refused.containsKey(name);
  }

  /** Refuses a plug-in until it is allowed again; false for one of ours, which goes on. */
  boolean refuse(String name) {
    boolean ours;
    try {
      ours = distributors.find(name).getClass().getPackageName().equals(OURS);
    } catch (InvalidInputException unknown) {
      return false;
    }
    if (!ours) {
      refused.merge(name, 1, Integer::sum);
    }
    return !ours;
  }

  /** One decision has ended for which a plug-in was refused. */
  void allow(String name) {
    refused.computeIfPresent(name, (same, count) -> count > 1 ? count - 1 : null);
  }

  /**
   * The number of strategies that are refused.
   *
   * @return 0 or more
   */
  public int refusedCount() {
    return refused.size();
  }

  /**
   * What is broken among the installed strategies.
   *
   * @return a message for each; empty where all is well
   */
  public List<String> faults() {
    return distributors.faults();
  }

  /**
   * Writes all that is known.
   *
   * @param json where to
   */
  public void write(AnswerWriter json) {
    json.objects("strategies", distributors.strategies(), this::write);
    json.object("words", inside -> StrategyWords.all().forEach(inside::member));
    json.names("faults", distributors.faults());
  }

  private void write(AnswerWriter json, StrategyDescription one) {
    json.member("name", one.name()).member("description", one.description());
    json.objects(
        "settings",
        one.settings(),
        (inside, setting) -> {
          inside.member("name", setting.name()).member("meaning", setting.meaning());
          inside.member("default", setting.defaultValue());
        });
    json.member("sequential", one.sequential()).member("may_decline", one.mayDecline());
    json.member("origin", one.origin()).member("refused", isRefused(one.name()));
  }
}
