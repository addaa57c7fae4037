package io.lighthouse.server.monitor;

import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.server.http.Router;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;

/** Logs one line of JSON for each request. Thread-safe if the sink is. */
public final class RequestLines implements RequestLog {
  /** The maximum length of a path in a line. */
  private static final int LONGEST = 200;

  private final Consumer<String> sink;

  /**
   * A log.
   *
   * @param sink takes the lines
   */
  public RequestLines(Consumer<String> sink) {
    this.sink = sink;
  }

  @Override
  public void log(Request request, Response response) {
    sink.accept(line(request, response));
  }

  private static String line(Request request, Response response) {
    String path = request.getHttpURI().getPathQuery();
    Object route = request.getAttribute(Router.ROUTE);
    byte[] line =
        AnswerWriter.toBytes(
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
    return new String(line, StandardCharsets.UTF_8);
  }
}
