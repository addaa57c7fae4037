package io.lighthouse.fleets;

import io.lighthouse.core.Distributors;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import java.nio.charset.StandardCharsets;

/** Finds the strategies that are installed, as the service does. */
public final class Engine {
  private static final Distributors INSTALLED = Distributors.installed();

  private Engine() {}

  /** A builder with the strategy of a problem. */
  public static Distributors.Builder of(Problem problem) {
    return INSTALLED.strategy(problem.strategy().orElse("prioritized"));
  }

  /** A problem from its JSON; quotes may be single. */
  public static Problem problem(String json) {
    byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return ProblemReader.standard().read(text).problem();
  }
}
