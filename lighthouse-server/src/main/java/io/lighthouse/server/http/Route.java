package io.lighthouse.server.http;

import java.io.InputStream;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The action of one method at one path, or at all paths of one shape.
 *
 * @param path the path, exactly; or with names in braces where any segment may stand, such as
 *     {@code /fleets/{fleet}}. It is also the label of its metrics
 * @param method {@code GET} (and then {@code HEAD} too), {@code POST}, {@code PUT} or {@code
 *     DELETE}
 * @param open whether it needs no token, and works also while the service stops
 * @param types the media types of its answers, the preferred one first
 * @param parameters the query parameters that it takes
 * @param action the action
 */
public record Route(
    String path,
    String method,
    boolean open,
    List<String> types,
    QueryParameters parameters,
    Action action) {

  /** The action on a request. */
  public interface Action {
    /**
     * Answers, now or later, from this thread or another.
     *
     * @param exchange the request and its answer
     * @param body the whole body of a POST or PUT; empty for others
     */
    void answer(Exchange exchange, InputStream body);
  }

  /** Copies. */
  public Route {
    types = List.copyOf(types);
  }

  boolean isShape() {
    return path.indexOf('{') >= 0;
  }

  boolean takesBody() {
    return method.equals("POST") || method.equals("PUT");
  }

  boolean takes(String asked) {
    return method.equals(asked) || method.equals("GET") && asked.equals("HEAD");
  }

  /** The methods that these routes allow; each has another one. */
  static String allowed(Collection<Route> routes) {
    StringBuilder allowed = new StringBuilder();
    for (Route route : routes) {
      allowed.append(route.method.equals("GET") ? "GET, HEAD" : route.method).append(", ");
    }
    return allowed.append("OPTIONS").toString();
  }

  /** The segments of its path. */
  String[] parts() {
    return path.split("/", -1);
  }

  /**
   * The values of the names in braces in a path; null where the path does not have this shape, or
   * cannot be decoded.
   *
   * @param shape the segments of this route's path
   * @param given the segments of the path
   */
  static Map<String, String> read(String[] shape, String[] given) {
    if (!isLike(shape, given)) {
      return null;
    }
    Map<String, String> found = new LinkedHashMap<>();
    for (int i = 0; i < shape.length; i++) {
      if (!shape[i].startsWith("{")) {
        continue;
      }
      // In a path, a plus sign stands for itself.
      String value = QueryParameters.decoded(given[i].replace("+", "%2B"));
      if (value == null || value.isEmpty() || value.equals(".") || value.equals("..")) {
        return null;
      }
      found.put(shape[i].substring(1, shape[i].length() - 1), value);
    }
    return found;
  }

  private static boolean isLike(String[] shape, String[] given) {
    if (shape.length != given.length) {
      return false;
    }
    for (int i = 0; i < shape.length; i++) {
      if (!shape[i].startsWith("{") && !shape[i].equals(given[i])) {
        return false;
      }
    }
    return true;
  }
}
