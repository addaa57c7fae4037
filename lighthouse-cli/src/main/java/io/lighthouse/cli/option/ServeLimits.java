package io.lighthouse.cli.option;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.Limits;
import io.lighthouse.server.ServiceSettings;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How much the service takes in, and how long it takes. What is not set keeps its default. */
public final class ServeLimits {
  @Option(
      names = "--max-body",
      paramLabel = "BYTES",
      converter = Size.class,
      description = "Of one body, decompressed (default: 32M).")
  private Long body;

  @Option(
      names = "--max-in-flight",
      paramLabel = "BYTES",
      converter = Size.class,
      description = "Of all bodies and answers at a time (default: 1/32 of the heap).")
  private Long inFlight;

  @Option(names = "--max-depth", paramLabel = "N", description = "Levels (default: 64).")
  private Integer depth;

  @Option(
      names = "--max-digits",
      paramLabel = "N",
      description = "Characters of a number (default: 1100).")
  private Integer digits;

  @Option(
      names = "--max-name",
      paramLabel = "N",
      description = "Characters of a name (default: 256).")
  private Integer name;

  @Option(
      names = "--max-nodes",
      paramLabel = "N",
      description = "Nodes of a problem (default: 100000).")
  private Integer nodes;

  @Option(
      names = "--max-workloads",
      paramLabel = "N",
      description = "Workloads of a problem, those on nodes included (default: 200000).")
  private Integer workloads;

  @Option(
      names = "--max-entries",
      paramLabel = "N",
      description = "Entries of one map or list of names (default: 10000).")
  private Integer entries;

  @Option(
      names = "--max-decisions",
      paramLabel = "N",
      description = "Decisions at a time (default: one a processor, at least 2).")
  private Integer decisions;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      description = "Open connections (default: 4096).")
  private Integer connections;

  @Option(
      names = "--max-fleets",
      paramLabel = "N",
      description = "Fleets of the store (default: 1000).")
  private Integer fleets;

  @Option(
      names = "--max-turn",
      paramLabel = "N",
      description = "Calls on a fleet that are made durable together (default: 1024).")
  private Integer turn;

  @Option(
      names = "--max-waiting",
      paramLabel = "N",
      description = "Calls on fleets that wait for their turn (default: 10000).")
  private Integer waiting;

  @Option(
      names = "--max-waiting-per-fleet",
      paramLabel = "N",
      description = "Calls on one fleet that wait for their turn (default: 5000).")
  private Integer waitingOfOne;

  @Option(
      names = "--max-watchers",
      paramLabel = "N",
      description = "Clients that follow the events of fleets (default: 256).")
  private Integer watchers;

  @Option(
      names = "--decision-timeout",
      paramLabel = "TIME",
      converter = Time.class,
      description = "For one decision (default: 10s).")
  private Duration decision;

  @Option(
      names = "--queue-timeout",
      paramLabel = "TIME",
      converter = Time.class,
      description = "To wait for a turn (default: 2s).")
  private Duration queue;

  @Option(
      names = "--header-timeout",
      paramLabel = "TIME",
      converter = Time.class,
      description = "Without the whole head of a request (default: 30s).")
  private Duration header;

  @Option(
      names = "--body-timeout",
      paramLabel = "TIME",
      converter = Time.class,
      description = "For a body to come, and for an answer to be taken (default: 60s).")
  private Duration bodyTime;

  @Option(
      names = "--stop-timeout",
      paramLabel = "TIME",
      converter = Time.class,
      description = "For what runs to finish when told to stop (default: 20s).")
  private Duration stop;

  /** Sets what was given. */
  public ServiceSettings apply(ServiceSettings settings) {
    Limits standard = ServiceSettings.DEFAULT_CONTENT;
    Limits[] limits = {standard};
    ifGiven("--max-depth", depth, most -> limits[0] = limits[0].withDepth(most));
    ifGiven(
        "--max-name",
        name,
        most -> limits[0] = limits[0].withLengths(most, limits[0].numberLength()));
    ifGiven(
        "--max-digits",
        digits,
        most -> limits[0] = limits[0].withLengths(limits[0].nameLength(), most));
    ifGiven(
        "--max-nodes",
        nodes,
        most -> limits[0] = limits[0].withCounts(most, limits[0].workloads(), limits[0].entries()));
    ifGiven(
        "--max-workloads",
        workloads,
        most -> limits[0] = limits[0].withCounts(limits[0].nodes(), most, limits[0].entries()));
    ifGiven(
        "--max-entries",
        entries,
        most -> limits[0] = limits[0].withCounts(limits[0].nodes(), limits[0].workloads(), most));
    settings.content(limits[0]);
    ifGiven("--max-body", body, settings::bodyBytes);
    ifGiven("--max-in-flight", inFlight, settings::bytesInFlight);
    ifGiven("--max-decisions", decisions, settings::decisions);
    ifGiven("--max-connections", connections, settings::connections);
    ifGiven("--max-fleets", fleets, settings::maxFleets);
    ifGiven("--max-turn", turn, settings::maxTurn);
    ifGiven("--max-waiting", waiting, settings::maxWaiting);
    ifGiven("--max-waiting-per-fleet", waitingOfOne, settings::maxWaitingOfOne);
    ifGiven("--max-watchers", watchers, settings::maxWatchers);
    ifGiven("--decision-timeout", decision, settings::decisionTimeout);
    ifGiven("--queue-timeout", queue, settings::queueTimeout);
    ifGiven("--header-timeout", header, settings::headerTimeout);
    ifGiven("--body-timeout", bodyTime, settings::bodyTimeout);
    ifGiven("--stop-timeout", stop, settings::stopTimeout);
    return settings;
  }

  private static <T> void ifGiven(String option, T given, Consumer<T> set) {
    if (given != null) {
      try {
        set.accept(given);
      } catch (InvalidInputException wrong) {
        throw new InvalidInputException("option", option, wrong.found(), wrong.allowed());
      }
    }
  }

  /** Such as {@code 1048576}, {@code 64K} or {@code 32M}. */
  static final class Size implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      String digits = text.replaceFirst("[KMGkmg]$", "");
      int shift =
          switch (text.substring(digits.length()).toUpperCase(Locale.ROOT)) {
            case "K" -> 10;
            case "M" -> 20;
            case "G" -> 30;
            default -> 0;
          };
      if (!digits.matches("[0-9]{1,9}")) {
        throw new TypeConversionException(
            "'" + text + "' is no size; allowed: such as 65536, 64K, 32M or 1G");
      }
      return Long.parseLong(digits) << shift;
    }
  }

  /** Such as {@code 500ms}, {@code 10s} or {@code 2m}. */
  static final class Time implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      String digits = text.replaceFirst("(ms|s|m)$", "");
      if (!digits.matches("[0-9]{1,9}")) {
        throw new TypeConversionException(
            "'" + text + "' is no time; allowed: such as 500ms, 10s or 2m");
      }
      long number = Long.parseLong(digits);
      return switch (text.substring(digits.length())) {
        case "ms" -> Duration.ofMillis(number);
        case "m" -> Duration.ofMinutes(number);
        default -> Duration.ofSeconds(number);
      };
    }
  }
}
