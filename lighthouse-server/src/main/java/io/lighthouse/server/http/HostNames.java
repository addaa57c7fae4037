package io.lighthouse.server.http;

import io.lighthouse.api.error.InvalidInputException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * The host names that requests may use where no token is needed. A hostile page can make its own
 * name resolve to our address (DNS rebinding). The browser then regards both as one origin, but
 * still sends the name of the page as {@code Host}. Loopback names, the bound address and the
 * address of the connection are always accepted; ports do not matter. Immutable and thread-safe.
 */
public final class HostNames {
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");
  private static final Pattern IPV6 = Pattern.compile("\\[?([0-9a-fA-F:.]*:[0-9a-fA-F:.]*)]?");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?");

  private static final Pattern PORT = Pattern.compile(":\\d*$");

  private final Set<String> names = new LinkedHashSet<>();

  /**
   * Loopback names, the bound address and these names.
   *
   * @param bound the host name or address where the service listens
   * @param more further host names and addresses, without port
   */
  public HostNames(String bound, List<String> more) {
    names.add("localhost");
    names.add(normalized(bound));
    more.forEach(name -> names.add(normalized(name)));
  }

  /**
   * Whether a text can be such a name.
   *
   * @param text the text
   * @return true for a host name or an address, without scheme and port
   */
  public static boolean isName(String text) {
    return address(text).isPresent() || NAME.matcher(text).matches();
  }

  /** What is wrong with the host that a request names; null if nothing is. */
  ProblemDetails wrongHost(Request request) {
    String field = request.getHeaders().get(HttpHeader.HOST);
    String target = request.getHttpURI().getHost();
    if (field == null && target == null) {
      return null; // HTTP/1.0, which no browser speaks.
    }
    // The name in a target of absolute form outranks the field; both must be ours.
    String host = target == null || accepts(target, request) ? withoutPort(field) : target;
    if (host == null || accepts(host, request)) {
      return null;
    }
    return ProblemDetails.of(
        421,
        "host",
        "The request is for another host",
        "the host is '"
            + InvalidInputException.shortened(host)
            + "'; allowed without tokens: "
            + String.join(", ", names)
            + ", 127.0.0.0/8, [::1], the address of the connection; see --host");
  }

  private boolean accepts(String host, Request request) {
    if (names.contains(host)) {
      return true; // The usual name, without taking it apart.
    }
    Optional<InetAddress> address = address(host);
    return names.contains(normalized(host))
        || address.isPresent()
            && (address.get().isLoopbackAddress() || address.equals(localAddress(request)));
  }

  private static Optional<InetAddress> localAddress(Request request) {
    return request.getConnectionMetaData().getLocalSocketAddress() instanceof InetSocketAddress inet
        ? Optional.ofNullable(inet.getAddress())
        : Optional.empty();
  }

  private static String withoutPort(String field) {
    return field == null ? null : PORT.matcher(field.strip()).replaceFirst("");
  }

  /**
   * One spelling for each name: lower case without the root's dot; an address as Java writes it.
   */
  private static String normalized(String host) {
    return address(host)
        .map(InetAddress::getHostAddress)
        .orElseGet(() -> host.toLowerCase(Locale.ROOT).replaceFirst("\\.$", ""));
  }

  /** The address that a text spells; nothing for a name. No name is looked up. */
  private static Optional<InetAddress> address(String host) {
    var sixth = IPV6.matcher(host);
    String literal =
        sixth.matches() ? "[" + sixth.group(1) + "]" : IPV4.matcher(host).matches() ? host : null;
    try {
      return literal == null ? Optional.empty() : Optional.of(InetAddress.getByName(literal));
    } catch (UnknownHostException noAddress) {
      return Optional.empty();
    }
  }
}
