package io.lighthouse.server.monitor;

import io.lighthouse.json.AnswerWriter;
import io.lighthouse.server.http.Router;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;

/**
 * Logs one line of JSON a request, at level INFO of the logger {@code
 * io.lighthouse.server.requests}. Thread-safe.
 */
public final class RequestLines implements RequestLog {
  /** The name of the logger, by which it is turned off. */
  public static final String LOGGER = "io.lighthouse.server.requests";

  private static final System.Logger LOG = System.getLogger(LOGGER);

  /** Longest path that a line repeats. */
  private static final int LONGEST = 200;

  /** A log that is as loud as its logger says. */
  public RequestLines() {}

  @Override
  public void log(Request request, Response response) {
    if (LOG.isLoggable(System.Logger.Level.INFO)) {
      LOG.log(System.Logger.Level.INFO, line(request, response));
    }
  }

  private static String line(Request request, Response response) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    String path = request.getHttpURI().getPathQuery();
    Object route = request.getAttribute(Router.ROUTE);
    try {
      AnswerWriter.write(
          out,
          json -> {
            json.member("time", Instant.now().toString());
            json.member("method", request.getMethod());
            json.member(
                "path", path == null ? "" : path.substring(0, Math.min(path.length(), LONGEST)));
            json.member("route", route == null ? "none" : (String) route);
            json.member("status", response.getStatus());
            json.member("bytes_in", Request.getContentBytesRead(request));
            json.member("bytes_out", Response.getContentBytesWritten(response));
            json.member("micros", (System.nanoTime() - request.getBeginNanoTime()) / 1000);
            json.member("from", Request.getRemoteAddr(request));
          });
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
