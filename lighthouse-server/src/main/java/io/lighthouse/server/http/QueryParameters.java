package io.lighthouse.server.http;

import io.lighthouse.api.error.InvalidInputException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The query parameters that a route takes. A query with any other parameter, with an unreadable one
 * or with a repeated one is refused, so that a misspelt {@code dry_run} changes nothing. Immutable
 * and thread-safe.
 *
 * @param once the names of parameters that a query has at most once
 * @param repeatable the names of parameters that a query may repeat
 */
public record QueryParameters(List<String> once, List<String> repeatable) {
  /** No parameter at all. */
  public static final QueryParameters NONE = of();

  /** Copies. */
  public QueryParameters {
    once = List.copyOf(once);
    repeatable = List.copyOf(repeatable);
  }

  /**
   * Parameters that a query has at most once.
   *
   * @param names their names
   * @return the parameters
   */
  public static QueryParameters of(String... names) {
    return new QueryParameters(List.of(names), List.of());
  }

  /**
   * Adds a parameter that a query has at most once.
   *
   * @param name its name
   * @return all of them
   */
  public QueryParameters with(String name) {
    List<String> more = new ArrayList<>(once);
    more.add(name);
    return new QueryParameters(more, repeatable);
  }

  /**
   * Adds a parameter that a query may repeat.
   *
   * @param name its name
   * @return all of them
   */
  public QueryParameters withRepeatable(String name) {
    List<String> more = new ArrayList<>(repeatable);
    more.add(name);
    return new QueryParameters(once, more);
  }

  /**
   * The names of all parameters.
   *
   * @return those that stand once, then those that may be repeated
   */
  public List<String> names() {
    List<String> names = new ArrayList<>(once);
    names.addAll(repeatable);
    return names;
  }

  /**
   * Reads a query.
   *
   * @param query the query as it came, without its question mark; null for none
   * @return the decoded values of each parameter, in order
   * @throws UnusableQueryException if a parameter is unknown, unreadable or repeated
   */
  Map<String, List<String>> read(String query) throws UnusableQueryException {
    Map<String, List<String>> values = new LinkedHashMap<>();
    if (query == null) {
      return values;
    }
    for (String part : query.split("&")) {
      if (part.isEmpty()) {
        continue;
      }
      int equals = part.indexOf('=');
      String rawName = equals < 0 ? part : part.substring(0, equals);
      String rawValue = equals < 0 ? "" : part.substring(equals + 1);
      String name = decoded(rawName);
      if (name == null || !once.contains(name) && !repeatable.contains(name)) {
        throw new UnusableQueryException(
            "there is no query parameter " + shown(name == null ? rawName : name) + allowed());
      }
      String value = decoded(rawValue);
      if (value == null) {
        throw new UnusableQueryException(
            "the query parameter '"
                + name
                + "' is "
                + shown(rawValue)
                + "; allowed: percent-encoded UTF-8");
      }
      List<String> sameName = values.computeIfAbsent(name, first -> new ArrayList<>());
      sameName.add(value);
      if (sameName.size() > 1 && once.contains(name)) {
        throw new UnusableQueryException(
            "the query parameter '" + name + "' is there more than once; allowed: once");
      }
    }
    return values;
  }

  private String allowed() {
    return "; allowed here: " + (names().isEmpty() ? "none" : String.join(", ", names()));
  }

  private static String shown(String text) {
    return "'" + InvalidInputException.shortened(text) + "'";
  }

  /** The text with its escapes decoded; null if they are not UTF-8. */
  static String decoded(String text) {
    if (text.indexOf(0xfffd) >= 0) {
      return null; // Bytes without escapes that are not UTF-8.
    }
    try {
      String bytes = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
      ByteBuffer decoded =
          StandardCharsets.ISO_8859_1.encode(URLDecoder.decode(bytes, StandardCharsets.ISO_8859_1));
      return StandardCharsets.UTF_8.newDecoder().decode(decoded).toString();
    } catch (IllegalArgumentException | CharacterCodingException broken) {
      return null;
    }
  }

  /** A query has a parameter that its route does not take. */
  static final class UnusableQueryException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableQueryException(String message) {
      super(message);
    }

    /** The problem that the client gets: status 400. */
    ProblemDetails problem() {
      return ProblemDetails.query(getMessage());
    }
  }
}
