package io.lighthouse.server;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.TimeWords;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much the service takes in, and how long it takes: each limit with its name, its default, its
 * range and its meaning. The options of the command, its help and the settings come from here.
 */
public enum ServiceLimit {
  /** Bytes of one body; never more than those in flight. */
  BODY(
      "max-body",
      Sort.BYTES,
      32L << 20,
      "32M",
      "The most bytes of one body, sent and decompressed"),
  /** Bytes of all bodies and answers at one time. */
  IN_FLIGHT(
      "max-in-flight",
      Sort.BYTES,
      Math.max(1 << 20, Runtime.getRuntime().maxMemory() / ServiceLimit.HEAP_PER_BYTE),
      "1/32 of the heap",
      "The most bytes of all bodies and answers at a time"),
  /** Levels of objects and arrays. A placement has 6. */
  DEPTH("max-depth", 64, 1000, "The most levels of objects and arrays"),
  /** Characters of a number. */
  DIGITS("max-digits", 1100, "The most characters of a number"),
  /** Characters of a name. One as long as a DNS name fits. */
  NAME("max-name", 256, "The most characters of a name"),
  /** Nodes of a problem or fleet. */
  NODES("max-nodes", 100_000, "The most nodes of a problem"),
  /** Workloads of a problem or fleet. */
  WORKLOADS("max-workloads", 200_000, "The most workloads of a problem, those on nodes included"),
  /** Entries of one map or list, other than nodes and workloads. */
  ENTRIES(
      "max-entries", 10_000, "The most entries of one map or list, other than nodes and workloads"),
  /** Decisions at one time. */
  DECISIONS(
      "max-decisions",
      Sort.COUNT,
      Math.max(2, Runtime.getRuntime().availableProcessors()),
      "one a processor, at least 2",
      1000,
      "The most decisions at a time"),
  /** Open connections; others wait to be accepted. */
  CONNECTIONS("max-connections", 4096, "The most open connections"),
  /** Fleets of the store. */
  FLEETS("max-fleets", 1000, "The most fleets of the store"),
  /** Calls on a fleet that are decided and made durable together. */
  TURN("max-turn", 1024, "The most calls on a fleet that are made durable together"),
  /** Calls that wait for their turn, of all fleets. */
  WAITING("max-waiting", 10_000, "The most calls on fleets that wait for their turn"),
  /** Calls that wait for their turn, of one fleet. */
  WAITING_PER_FLEET(
      "max-waiting-per-fleet", 5000, "The most calls on one fleet that wait for their turn"),
  /** Clients that follow the events of fleets. */
  WATCHERS("max-watchers", 256, "The most clients that follow the events of fleets"),
  /** The time of one decision: to read a problem, place it, and write the answer. */
  DECISION_TIMEOUT("decision-timeout", Duration.ofSeconds(10), "The longest time of one decision"),
  /** How long a request waits for its turn. */
  QUEUE_TIMEOUT("queue-timeout", Duration.ofSeconds(2), "The longest wait for a turn"),
  /** How long a connection may go without the whole head of a request, idle or trickling. */
  HEADER_TIMEOUT(
      "header-timeout",
      Duration.ofSeconds(30),
      "The longest time without the whole head of a request"),
  /** How long a body may take to come, and an answer to be taken. */
  BODY_TIMEOUT(
      "body-timeout",
      Duration.ofSeconds(60),
      "The longest time for a body to come, and for an answer to be taken"),
  /** How long a stop waits for what runs. */
  STOP_TIMEOUT(
      "stop-timeout",
      Duration.ofSeconds(20),
      "The longest wait for running calls when the service stops");

  /** What a byte of a body may cost in heap while it is read, placed and answered. */
  private static final int HEAP_PER_BYTE = 32;

  private static final long MOST_HOURS = 1_000_000;

  private static final long MOST_MILLIS = MOST_HOURS * 60 * 60 * 1000;

  /** The longest time: its nanoseconds are a long. */
  static final Duration MOST_TIME = Duration.ofHours(MOST_HOURS);

  /** The times that may be set, in words. */
  static final String ALLOWED_TIMES = "more than no time, and at most " + MOST_HOURS + "h";

  private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([KMGkmg]?)");
  private static final Pattern COUNT = Pattern.compile("([0-9]{1,10})()");

  /** What a limit counts. */
  public enum Sort {
    /** Bytes. */
    BYTES,
    /** Things. */
    COUNT,
    /** Milliseconds. */
    TIME
  }

  private final String option;
  private final Sort sort;
  private final long standard;
  private final String standardWords;
  private final long most;
  private final String meaning;

  ServiceLimit(String option, int standard, String meaning) {
    this(option, standard, Integer.MAX_VALUE, meaning);
  }

  ServiceLimit(String option, int standard, int most, String meaning) {
    this(option, Sort.COUNT, standard, Integer.toString(standard), most, meaning);
  }

  ServiceLimit(String option, Duration standard, String meaning) {
    this(option, Sort.TIME, standard.toMillis(), standard.toSeconds() + "s", MOST_MILLIS, meaning);
  }

  ServiceLimit(String option, Sort sort, long standard, String standardWords, String meaning) {
    this(option, sort, standard, standardWords, Long.MAX_VALUE, meaning);
  }

  ServiceLimit(
      String option, Sort sort, long standard, String standardWords, long most, String meaning) {
    this.option = option;
    this.sort = sort;
    this.standard = standard;
    this.standardWords = standardWords;
    this.most = most;
    this.meaning = meaning;
  }

  /**
   * The option of the command.
   *
   * @return such as {@code --max-body}
   */
  public String option() {
    return "--" + option;
  }

  /**
   * What it counts.
   *
   * @return the sort
   */
  public Sort sort() {
    return sort;
  }

  /**
   * The default.
   *
   * @return bytes, a number of things, or milliseconds
   */
  public long standard() {
    return standard;
  }

  /**
   * The default in words.
   *
   * @return such as {@code 32M} or {@code 10s}
   */
  public String standardWords() {
    return standardWords;
  }

  /**
   * What is limited.
   *
   * @return the beginning of a sentence
   */
  public String meaning() {
    return meaning;
  }

  /**
   * Reads a value as it is typed.
   *
   * @param text such as {@code 64K}, {@code 100} or {@code 500ms}
   * @return bytes, a number of things, or milliseconds
   * @throws InvalidInputException if it is none, or out of range
   */
  public long parse(String text) {
    if (sort == Sort.TIME) {
      Duration time = TimeWords.parse(text).orElseThrow(() -> unreadable(text));
      return require(time.compareTo(MOST_TIME) > 0 ? Long.MAX_VALUE : time.toMillis(), text);
    }
    Matcher typed = (sort == Sort.BYTES ? SIZE : COUNT).matcher(text);
    if (!typed.matches()) {
      throw unreadable(text);
    }
    long number = Long.parseLong(typed.group(1));
    return require(
        switch (typed.group(2).toUpperCase(Locale.ROOT)) {
          case "K" -> number << 10;
          case "M" -> number << 20;
          case "G" -> number << 30;
          default -> number;
        },
        text);
  }

  /** The value, if it is in range. */
  long require(long value) {
    return require(value, value + (sort == Sort.TIME ? "ms" : ""));
  }

  private long require(long value, String found) {
    if (value < 1 || value > most) {
      String allowed =
          switch (sort) {
            case BYTES -> "1 or more";
            case COUNT -> "1 to " + most;
            case TIME -> ALLOWED_TIMES;
          };
      throw wrong(found, allowed);
    }
    return value;
  }

  /** The milliseconds of a time, if it is in range. */
  long requireMillis(Duration time) {
    if (time.isNegative() || time.compareTo(MOST_TIME) > 0) {
      throw wrong(time.toString(), ALLOWED_TIMES);
    }
    return require(time.toMillis());
  }

  private String forms() {
    return switch (sort) {
      case BYTES -> "a size such as 65536, 64K, 32M or 1G";
      case COUNT -> "a whole number from 1 to " + most;
      case TIME -> "a time such as 500ms, 10s, 2m or 1h";
    };
  }

  private InvalidInputException unreadable(String text) {
    return wrong("'" + text + "'", forms());
  }

  private InvalidInputException wrong(String found, String allowed) {
    return new InvalidInputException("option", option(), found, allowed);
  }
}
