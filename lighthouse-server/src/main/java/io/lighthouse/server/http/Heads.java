package io.lighthouse.server.http;

import io.lighthouse.api.error.InvalidInputException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MimeTypes;
import org.eclipse.jetty.server.Request;

/**
 * Checks the head of a request: whether the client accepts our answers, and whether the body can be
 * read.
 */
final class Heads {
  /** The accepted media types of bodies; the last one is the default of {@code curl --data}. */
  private static final List<String> JSON =
      List.of("application/json", "text/json", "application/x-www-form-urlencoded");

  /** The names of the coding gzip, in lower case (RFC 9110, 8.4.1.3). */
  static final Set<String> GZIP = Set.of("gzip", "x-gzip");

  private Heads() {}

  /**
   * The one of our types that the client prefers (RFC 9110, 12.5.1). For each type the most
   * specific range of {@code Accept} counts. Of several such ranges, the highest quality counts:
   * our types have none of the parameters by which the ranges differ. Of types with the same
   * quality, the one with the more specific range is preferred, and then the first.
   *
   * @return empty if the client accepts none of them
   */
  static Optional<String> preferred(HttpFields headers, List<String> ours) {
    List<String> ranges = headers.getCSV(HttpHeader.ACCEPT, true);
    if (ranges.isEmpty()) {
      return Optional.of(ours.get(0));
    }
    String preferred = null;
    double most = 0;
    for (String our : ours) {
      int specific = 0;
      double quality = 0;
      for (String range : ranges) {
        String[] parts = range.split(";", -1);
        int kind = specificity(parts[0].strip(), our);
        double given = quality(parts);
        if (kind > specific || kind == specific && given > quality) {
          specific = kind;
          quality = given;
        }
      }
      // Less than a step of 0.001, by which qualities differ.
      double rank = quality > 0 ? quality + specific * 1e-4 : 0;
      if (rank > most) {
        most = rank;
        preferred = our;
      }
    }
    return Optional.ofNullable(preferred);
  }

  /** How closely a range names a type: 0 for all types to 2 for this one; -1 if it does not. */
  private static int specificity(String range, String type) {
    String family = type.substring(0, type.indexOf('/') + 1) + "*";
    if (range.equalsIgnoreCase(type)) {
      return 2;
    }
    return range.equalsIgnoreCase(family) ? 1 : range.equals("*/*") ? 0 : -1;
  }

  /** The quality among the parameters of a range; 0 if it is not a number from 0 to 1. */
  static double quality(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.regionMatches(true, 0, "q=", 0, 2)) {
        try {
          double quality = Double.parseDouble(parameter.substring(2));
          return quality >= 0 && quality <= 1 ? quality : 0;
        } catch (NumberFormatException none) {
          return 0;
        }
      }
    }
    return 1;
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

  /** Whether the body is gzip, by either of its names. */
  static boolean isGzip(HttpFields headers) {
    return GZIP.contains(encoding(headers).toLowerCase(Locale.ROOT));
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
