package io.lighthouse.server.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Reads {@code Accept-Encoding} (RFC 9110, 12.5.3) before the handler that compresses. A request
 * that accepts neither gzip nor an answer without an encoding is refused with 406. The handler
 * inside gets the verdict as its {@code Accept-Encoding}: {@code gzip}, or none. Jetty's reads it
 * otherwise: {@code *;q=0} alone gets an answer without an encoding, and {@code *, gzip;q=0} gzip.
 * It does not know that {@code x-gzip} is gzip, too (8.4.1.3).
 */
public final class AnswerEncodings extends Handler.Wrapper {
  private static final String GZIP = "gzip";

  /**
   * The handler around one that compresses.
   *
   * @param compression the handler that compresses answers where the request accepts gzip
   */
  public AnswerEncodings(Handler compression) {
    super(compression);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    List<String> given = request.getHeaders().getCSV(HttpHeader.ACCEPT_ENCODING, true);
    if (given.isEmpty()) {
      return super.handle(request, response, callback);
    }
    boolean gzip = accepts(given, Heads.GZIP, false);
    if (!gzip && !accepts(given, Set.of("identity"), true)) {
      Response.writeError(request, response, callback, HttpStatus.NOT_ACCEPTABLE_406);
      return true;
    }
    HttpFields.Mutable headers =
        HttpFields.build(request.getHeaders()).remove(HttpHeader.ACCEPT_ENCODING);
    if (gzip) {
      headers.put(HttpHeader.ACCEPT_ENCODING, GZIP);
    }
    Request judged =
        new Request.Wrapper(request) {
          @Override
          public HttpFields getHeaders() {
            return headers;
          }
        };
    return super.handle(judged, response, callback);
  }

  /**
   * Whether a coding is accepted.
   *
   * @param given the codings of the header with their parameters
   * @param names the names of the coding, in lower case; the first of them in the header counts
   * @param otherwise the answer where neither the coding nor {@code *} is given
   */
  private static boolean accepts(List<String> given, Set<String> names, boolean otherwise) {
    boolean others = otherwise;
    for (String one : given) {
      String[] parts = one.split(";", -1);
      String name = parts[0].strip().toLowerCase(Locale.ROOT);
      if (names.contains(name)) {
        return Heads.quality(parts) > 0;
      }
      if (name.equals("*")) {
        others = Heads.quality(parts) > 0;
      }
    }
    return others;
  }
}
