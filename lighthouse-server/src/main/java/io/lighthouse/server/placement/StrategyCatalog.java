package io.lighthouse.server.placement;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.StrategyWords;
import io.lighthouse.json.Suggestion;
import io.lighthouse.json.write.AnswerWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The strategies by the words that callers use: those of the documented call, and the names of
 * those installed. A plug-in that did not end is refused while it still runs. Thread-safe.
 */
public final class StrategyCatalog {
  /** The origin of the built-in strategies, which always end, however slow the machine. */
  private static final String OURS = "io.lighthouse.strategies";

  private final Distributors distributors;

  /** The number of abandoned decisions of each strategy that still run. */
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
   * A builder of a distributor with an installed strategy.
   *
   * @param name the name of the strategy
   * @return a builder with nothing but the strategy
   * @throws InvalidInputException if there is none of that name
   */
  public Distributors.Builder builder(String name) {
    return distributors.strategy(name);
  }

  /** The description of a strategy; empty where there is none of that name, or more than one. */
  Optional<StrategyDescription> description(String name) {
    return distributors.strategies().stream().filter(one -> one.name().equals(name)).findFirst();
  }

  /**
   * All words that are allowed in place of an unknown one, for a message.
   *
   * @param word the unknown word
   * @return such as {@code one of BinPack, bin-pack; did you mean BinPack?}
   */
  public String allowedFor(String word) {
    List<String> known =
        Stream.concat(
                StrategyWords.all().keySet().stream(),
                distributors.strategies().stream().map(StrategyDescription::name))
            .toList();
    return "one of " + String.join(", ", known) + Suggestion.question(word, known);
  }

  boolean isRefused(String name) {
    return refused.containsKey(name);
  }

  /**
   * Refuses a plug-in until it is allowed again; returns false for a built-in strategy, which is
   * never refused, and for an unknown one.
   */
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

  /** A decision that had a plug-in refused has ended. */
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
   * The broken strategies among the installed ones.
   *
   * @return a message for each; empty if there are none
   */
  public List<String> faults() {
    return distributors.faults();
  }

  /**
   * Writes the descriptions of all strategies.
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
