package io.lighthouse.server.http;

import java.io.InputStream;
import java.util.List;

/**
 * What is done at one path.
 *
 * @param path the path, exactly; it is also the label of its metrics
 * @param method {@code GET} (and then {@code HEAD} too) or {@code POST}
 * @param open whether it is there without a token, also while the service stops
 * @param types the media types that it answers with, the first one first
 * @param action what is done
 */
public record Route(String path, String method, boolean open, List<String> types, Action action) {

  /** What is done with a request. */
  public interface Action {
    /**
     * Answers, now or later, from this thread or another.
     *
     * @param exchange the request and its answer
     * @param body the whole body of a POST; empty for a GET
     */
    void answer(Exchange exchange, InputStream body);
  }

  /** Copies. */
  public Route {
    types = List.copyOf(types);
  }

  boolean takesBody() {
    return method.equals("POST");
  }

  boolean takes(String asked) {
    return method.equals(asked) || !takesBody() && asked.equals("HEAD");
  }

  String allowed() {
    return takesBody() ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
  }
}
