package io.lighthouse.server.fleets;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.fleets.AnswerRoom;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.Recorded;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.ProblemDetails;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The options of a request on a fleet, from its headers and query. */
final class Asked {
  /** A header or parameter is wrong. */
  static final class WrongHead extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient ProblemDetails problem;

    WrongHead(ProblemDetails problem) {
      super(problem.detail());
      this.problem = problem;
    }

    ProblemDetails problem() {
      return problem;
    }
  }

  /** The parameter for a dry run. */
  static final String DRY_RUN = "dry_run";

  /** The parameter that allows an answer from a fleet that may be behind the database. */
  static final String STALE = "stale";

  /** The parameter that requests the hash of the decision. */
  static final String HASH = "hash";

  /** The parameter that requests a record of the decision. */
  static final String RECORD = "record";

  private static final String KEY_NAME = "Idempotency-Key";
  private static final String KNOWN = "If-None-Match";
  private static final String FINAL = "Lighthouse-Final";
  private static final Pattern TAG = Pattern.compile("\"g([0-9]{1,18})([.][1-9][0-9]{0,17})?\"");
  private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

  private Asked() {}

  /** Whether the call is only tried out. */
  static boolean dryRun(Exchange exchange) {
    return exchange.isTrue(DRY_RUN);
  }

  /** Whether a question may be answered without reading the newest entries from a shared store. */
  static boolean stale(Exchange exchange) {
    return exchange.isTrue(STALE);
  }

  /** Whether the method only reads. */
  static boolean isQuestion(Exchange exchange) {
    return exchange.method().equals("GET") || exchange.method().equals("HEAD");
  }

  /** Whether the call has a key, with which it can be repeated. */
  static boolean hasKey(Exchange exchange) {
    return !exchange.requestHeader(KEY_NAME).isEmpty();
  }

  /** The requested part of the decision record. */
  static Recorded recorded(Exchange exchange) {
    boolean hashed = exchange.isTrue(HASH);
    if (exchange.isTrue(RECORD)) {
      return Recorded.WHOLE;
    }
    return hashed ? Recorded.HASH : Recorded.NOT;
  }

  /** The call at the generation that If-Match requires. */
  static FleetCall matching(Exchange exchange, FleetCall call) {
    Optional<String> tag = filled(exchange, "If-Match");
    if (tag.isEmpty() || tag.get().equals("*")) {
      return call;
    }
    Matcher matcher = TAG.matcher(tag.get());
    if (!matcher.matches()) {
      throw wrong("If-Match", tag.get(), "one ETag of the fleet, such as \"g12\", or *");
    }
    String life = matcher.group(2);
    return call.at(
        Long.parseLong(matcher.group(1)), life == null ? 0 : Long.parseLong(life.substring(1)));
  }

  /** Whether the call creates a fleet only where there is none of its name (If-None-Match: *). */
  static boolean mustBeNew(Exchange exchange) {
    Optional<String> tag = filled(exchange, KNOWN);
    if (tag.isPresent() && !tag.get().equals("*")) {
      throw wrong(KNOWN, tag.get(), "*, which creates the fleet only where there is none");
    }
    return tag.isPresent();
  }

  /** Whether the client already has the present generation (RFC 9110, 13.1.2). */
  static boolean hasAlready(Exchange exchange, long generation, long life) {
    String present = Exchange.entityTag(generation, life);
    List<String> given = exchange.requestHeader(KNOWN);
    return given.contains("*")
        || given.stream()
            .flatMap(tags -> Stream.of(tags.split(",")))
            .map(String::strip)
            .anyMatch(tag -> tag.equals(present) || tag.equals("W/" + present));
  }

  /** The call of a command, with the memory for its answer. */
  static FleetCall call(Exchange exchange, Command command, byte[] body, AnswerRoom room) {
    List<String> known = exchange.requestHeader(KNOWN);
    if (!known.isEmpty() && !isQuestion(exchange)) {
      // The call would be carried out without its condition.
      throw wrong(KNOWN, String.join(", ", known), "the header with GET; here, If-Match");
    }
    Optional<FleetCall.Key> key = filled(exchange, KEY_NAME).map(word -> key(exchange, word, body));
    FleetCall call =
        new FleetCall(
            command,
            exchange.grant().token(),
            key,
            OptionalLong.empty(),
            0,
            dryRun(exchange),
            stale(exchange),
            last(exchange, key.isPresent()),
            room);
    return matching(exchange, call);
  }

  /** Refuses a key for the creation of a fleet, which would not be kept. */
  static void refuseKey(Exchange exchange) {
    for (String name : List.of(KEY_NAME, FINAL)) {
      Optional<String> given = filled(exchange, name);
      if (given.isPresent()) {
        throw wrong(name, given.get(), "no such header here, as a repeated call changes nothing");
      }
    }
  }

  /** Whether any answer, even a refusal, is kept for the key of the call. */
  private static boolean last(Exchange exchange, boolean hasKey) {
    Optional<String> asked = filled(exchange, FINAL);
    if (asked.isEmpty() || asked.get().equals("false")) {
      return false;
    }
    if (!asked.get().equals("true")) {
      throw wrong(FINAL, asked.get(), "true, or false");
    }
    if (!hasKey) {
      throw wrong(FINAL, "true", "it with an " + KEY_NAME + ", which the answer stands for");
    }
    return true;
  }

  private static FleetCall.Key key(Exchange exchange, String word, byte[] body) {
    if (!KEY.matcher(word).matches()) {
      throw wrong(KEY_NAME, word, "1 to 255 visible characters of ASCII");
    }
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      String head = exchange.method() + " " + exchange.target() + "\n";
      sha.update(head.getBytes(StandardCharsets.UTF_8));
      return new FleetCall.Key(word, sha.digest(body));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // Every JDK has it.
    }
  }

  /** A whole number in the query. */
  static int number(Exchange exchange, String parameter, int otherwise, int most) {
    Optional<String> given = exchange.parameter(parameter);
    if (given.isEmpty()) {
      return otherwise;
    }
    if (given.get().matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(given.get());
      if (number >= 1 && number <= most) {
        return number;
      }
    }
    throw new InvalidInputException(
        "query", parameter, "'" + given.get() + "'", "a whole number from 1 to " + most);
  }

  /** A header that may occur once; a blank one counts as missing. */
  static Optional<String> header(Exchange exchange, String name) {
    List<String> values = exchange.requestHeader(name);
    if (values.size() > 1) {
      throw wrong(name, String.join(", ", values), "the header once");
    }
    String value = values.isEmpty() ? "" : values.get(0).strip();
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }

  /**
   * A header that may occur once, and must not be blank: the call would be carried out without what
   * its caller meant to set.
   */
  private static Optional<String> filled(Exchange exchange, String name) {
    Optional<String> value = header(exchange, name);
    if (value.isEmpty() && !exchange.requestHeader(name).isEmpty()) {
      throw wrong(name, "", "a value, or the header left out");
    }
    return value;
  }

  static WrongHead wrong(String name, String found, String allowed) {
    return new WrongHead(
        ProblemDetails.of(
            400,
            "header",
            "A header cannot be used",
            name + " is '" + InvalidInputException.shortened(found) + "'; allowed: " + allowed));
  }
}
