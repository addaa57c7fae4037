package io.lighthouse.kubernetes.client;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;

/**
 * The list {@code NO_PROXY}, as the Kubernetes tools read it (Go's {@code
 * golang.org/x/net/http/httpproxy}). Loopback needs no entry.
 */
final class NoProxy {
  private NoProxy() {}

  /**
   * Whether a server is reached directly.
   *
   * @param list entries with commas between them. An entry is {@code *}, an address, a range such
   *     as {@code 10.0.0.0/8}, or a domain. {@code example.com} includes its subdomains; {@code
   *     .example.com} is the subdomains alone. An address or a domain may have a port
   */
  static boolean excludes(URI server, String list) {
    String host = server.getHost().replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT);
    InetAddress address = literal(host);
    if (host.equals("localhost") || address != null && address.isLoopbackAddress()) {
      return true;
    }
    int port =
        server.getPort() >= 0 ? server.getPort() : server.getScheme().equals("https") ? 443 : 80;
    for (String part : list.split(",")) {
      String entry = part.strip().toLowerCase(Locale.ROOT);
      if (!entry.isEmpty() && matches(entry, host, address, port)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(String entry, String host, InetAddress address, int port) {
    if (entry.equals("*")) {
      return true;
    }
    int slash = entry.indexOf('/');
    if (slash >= 0) {
      return address != null
          && isInRange(address, entry.substring(0, slash), entry.substring(slash + 1));
    }
    String name = entry;
    int colon = entry.lastIndexOf(':');
    boolean hasPort =
        colon >= 0
            && (entry.indexOf(':') == colon
                || entry.startsWith("[") && entry.charAt(colon - 1) == ']');
    if (hasPort) {
      if (!entry.substring(colon + 1).equals(Integer.toString(port))) {
        return false;
      }
      name = entry.substring(0, colon);
    }
    InetAddress named = literal(name.replaceAll("[\\[\\]]", ""));
    if (named != null || address != null) {
      return named != null && named.equals(address);
    }
    String domain = name.startsWith("*.") ? name.substring(1) : name;
    return domain.startsWith(".")
        ? host.endsWith(domain)
        : host.equals(domain) || host.endsWith("." + domain);
  }

  private static boolean isInRange(InetAddress address, String base, String bits) {
    InetAddress first = literal(base);
    if (first == null || !bits.matches("[0-9]{1,3}")) {
      return false;
    }
    byte[] one = first.getAddress();
    byte[] other = address.getAddress();
    int free = one.length * 8 - Integer.parseInt(bits);
    return one.length == other.length
        && free >= 0
        && new BigInteger(1, one)
            .shiftRight(free)
            .equals(new BigInteger(1, other).shiftRight(free));
  }

  /** The address that a text writes out; null for a name, which is not resolved. */
  private static InetAddress literal(String text) {
    if (!text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-f:.]*:[0-9a-f:.]*")) {
      return null;
    }
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException none) {
      return null;
    }
  }
}
