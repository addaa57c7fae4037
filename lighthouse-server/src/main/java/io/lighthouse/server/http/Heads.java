package io.lighthouse.server.http;

import io.lighthouse.api.error.InvalidInputException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MimeTypes;
import org.eclipse.jetty.http.QuotedQualityCSV;
import org.eclipse.jetty.server.Request;

/**
 * Checks the head of a request: whether the client accepts our answers, and whether the body can be
 * read.
 */
final class Heads {
  /** The accepted media types of bodies; the last one is the default of {@code curl --data}. */
  private static final List<String> JSON =
      List.of("application/json", "text/json", "application/x-www-form-urlencoded");

  private Heads() {}

  /** Whether the client accepts one of our types. */
  static boolean accepts(HttpFields headers, List<String> ours) {
    if (!headers.contains(HttpHeader.ACCEPT)) {
      return true;
    }
    QuotedQualityCSV accepted = new QuotedQualityCSV();
    for (HttpField field : headers.getFields(HttpHeader.ACCEPT)) {
      accepted.addValue(field.getValue());
    }
    if (accepted.isEmpty()) {
      return true;
    }
    for (String range : accepted.getValues()) {
      String plain = MimeTypes.getContentTypeWithoutCharset(range);
      int parameters = plain.indexOf(';');
      String type = (parameters < 0 ? plain : plain.substring(0, parameters)).strip();
      for (String our : ours) {
        String family = our.substring(0, our.indexOf('/') + 1) + "*";
        if (type.equals("*/*") || type.equalsIgnoreCase(our) || type.equalsIgnoreCase(family)) {
          return true;
        }
      }
    }
    return false;
  }

  /** What is wrong with the headers of the body; null if nothing is. */
  static ProblemDetails wrongBody(Request request) {
    HttpFields headers = request.getHeaders();
    String encoding = encoding(headers);
    if (!encoding.isEmpty() && !isGzip(headers)) {
      return unsupported("Content-Encoding", encoding, "gzip, or none");
    }
    if (!headers.contains(HttpHeader.CONTENT_LENGTH)
        && !headers.contains(HttpHeader.TRANSFER_ENCODING)) {
      return ProblemDetails.of(
          411,
          "length",
          "The request has no body",
          "neither Content-Length nor Transfer-Encoding is there; send a problem as the body");
    }
    String type = headers.get(HttpHeader.CONTENT_TYPE);
    if (type == null) {
      return null;
    }
    String charset = MimeTypes.getCharsetFromContentType(type);
    if (charset != null && !charset.equalsIgnoreCase("utf-8")) {
      return unsupported("the charset", charset, "utf-8");
    }
    int parameters = type.indexOf(';');
    String plain =
        (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
    if (JSON.contains(plain) || plain.startsWith("application/") && plain.endsWith("+json")) {
      return null;
    }
    return unsupported("Content-Type", type, "application/json, or none");
  }

  /** Whether the body is gzip, by either of its names (RFC 9110, 8.4.1.3). */
  static boolean isGzip(HttpFields headers) {
    String encoding = encoding(headers);
    return encoding.equalsIgnoreCase("gzip") || encoding.equalsIgnoreCase("x-gzip");
  }

  /** The encodings of the body, separated by commas; {@code identity} does not count. */
  private static String encoding(HttpFields headers) {
    if (!headers.contains(HttpHeader.CONTENT_ENCODING)) {
      return "";
    }
    return headers.getCSV(HttpHeader.CONTENT_ENCODING, false).stream()
        .filter(one -> !one.equalsIgnoreCase("identity"))
        .collect(Collectors.joining(", "));
  }

  /**
   * What is wrong with how the head defines the end of the body; null if nothing is. The sender may
   * assume another end than this service, so the connection is closed (RFC 9112, 6.1).
   */
  static ProblemDetails wrongTransfer(Request request) {
    HttpFields headers = request.getHeaders();
    if (!headers.contains(HttpHeader.TRANSFER_ENCODING)) {
      return null;
    }
    if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_1_1) {
      return ProblemDetails.of(
          400,
          "transfer",
          "The end of the body is not clear",
          "Transfer-Encoding is there, which HTTP/1.0 does not know; send Content-Length, or"
              + " HTTP/1.1");
    }
    String codings = String.join(", ", headers.getCSV(HttpHeader.TRANSFER_ENCODING, false));
    if (codings.equalsIgnoreCase("chunked")) {
      return null;
    }
    return ProblemDetails.of(
        501,
        "transfer",
        "The transfer coding is not known",
        "Transfer-Encoding is '"
            + InvalidInputException.shortened(codings)
            + "'; allowed: chunked. Gzip goes with Content-Encoding");
  }

  private static ProblemDetails unsupported(String what, String found, String allowed) {
    return ProblemDetails.of(
        415,
        "media-type",
        "The body is of a kind that is not understood",
        what + " is '" + InvalidInputException.shortened(found) + "'; allowed: " + allowed);
  }
}
