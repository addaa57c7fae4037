package io.lighthouse.server.http;

import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.MimeTypes;
import org.eclipse.jetty.http.QuotedQualityCSV;
import org.eclipse.jetty.server.Request;

/** Checks the head of a request: may we answer it, and can we read its body? */
final class Heads {
  /** What a body may call itself; the last one is what {@code curl --data} says of anything. */
  private static final List<String> JSON =
      List.of("application/json", "text/json", "application/x-www-form-urlencoded");

  private Heads() {}

  /** Whether one of our types is among those that the client accepts. */
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

  /** What is wrong with the way the body is announced; null if nothing is. */
  static ProblemDetails wrongBody(Request request) {
    HttpFields headers = request.getHeaders();
    // What is compressed in a way that is known has lost this header on its way here.
    String encoding = headers.get(HttpHeader.CONTENT_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      return unsupported("Content-Encoding is '" + encoding + "'; allowed: gzip, or none");
    }
    if (!headers.contains(HttpHeader.CONTENT_LENGTH)
        && !headers.contains(HttpHeader.TRANSFER_ENCODING)
        && !headers.contains(BodyReader.COMPRESSED)) {
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
      return unsupported("the charset is '" + charset + "'; allowed: utf-8");
    }
    int parameters = type.indexOf(';');
    String plain =
        (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
    if (JSON.contains(plain) || plain.startsWith("application/") && plain.endsWith("+json")) {
      return null;
    }
    return unsupported("Content-Type is '" + type + "'; allowed: application/json, or none");
  }

  private static ProblemDetails unsupported(String detail) {
    return ProblemDetails.of(
        415, "media-type", "The body is of a kind that is not understood", detail);
  }
}
