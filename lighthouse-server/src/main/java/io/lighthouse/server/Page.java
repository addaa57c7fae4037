package io.lighthouse.server;

import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The web page, assembled into one answer, without external resources. Its policy allows its own
 * script and style, each by its hash, and calls to its own service.
 */
final class Page implements Route.Action {
  static final String MEDIA_TYPE = "text/html";

  private final ByteBuffer content;
  private final String policy;

  /** The page of a service that keeps fleets, or of one that keeps none. */
  Page(boolean keepsFleets) {
    String page =
        text("page.html")
            .replace("<body>", keepsFleets ? "<body data-fleets>" : "<body>")
            .replace("<style></style>", "<style>\n" + text("page.css") + "</style>")
            .replace(
                "<script></script>",
                "<script>\n"
                    + text("page-model.js")
                    + text("page-parts.js")
                    + text("page-answers.js")
                    + text("page.js")
                    + text("page-live.js")
                    + text("page-fleets.js")
                    + "</script>");
    content = ByteBuffer.wrap(page.getBytes(StandardCharsets.UTF_8)).asReadOnlyBuffer();
    policy = policy(page);
  }

  private static String text(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  @Override
  public void answer(Exchange exchange, InputStream body) {
    exchange.header("Content-Security-Policy", policy);
    exchange.header("X-Frame-Options", "DENY");
    exchange.header("Referrer-Policy", "no-referrer");
    exchange.header("Cross-Origin-Opener-Policy", "same-origin");
    exchange.header("Cross-Origin-Resource-Policy", "same-origin");
    exchange.header("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
    exchange.answer(MEDIA_TYPE + "; charset=utf-8", content.duplicate());
  }

  private static String policy(String page) {
    return "default-src 'none'; script-src "
        + hashOf(page, "script")
        + "; style-src "
        + hashOf(page, "style")
        + "; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; "
        + "frame-ancestors 'none'";
  }

  /** The hash of the content of an element, in the form of the content security policy. */
  private static String hashOf(String page, String tag) {
    int begin = page.indexOf("<" + tag + ">") + tag.length() + 2;
    String text = page.substring(begin, page.indexOf("</" + tag + ">", begin));
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // Every JDK has it.
    }
  }
}
