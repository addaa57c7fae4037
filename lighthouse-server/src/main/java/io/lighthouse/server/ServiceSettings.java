package io.lighthouse.server;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Stores;
import io.lighthouse.json.Limits;
import io.lighthouse.server.http.HostNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** All that can be set of the service; nothing needs to be. Not thread-safe while it is set. */
public final class ServiceSettings {
  /** What browsers send as {@code Origin}, and a star for all of it. */
  private static final Pattern ORIGIN =
      Pattern.compile("[*]|null|[A-Za-z][A-Za-z0-9+.-]*://[^/?#*\\s]+");

  private static final Pattern BRACKETED = Pattern.compile("^\\[(.*:.*)]$");

  /** The default port. */
  public static final int DEFAULT_PORT = 8087;

  /** The default address: loopback. */
  public static final String DEFAULT_BIND = "127.0.0.1";

  private final Map<ServiceLimit, Long> limits = new EnumMap<>(ServiceLimit.class);
  private int faults = Limits.STANDARD.faults();
  private String bind = DEFAULT_BIND;
  private int port = DEFAULT_PORT;
  private Path plugins;
  private Path tokens;
  private Path keystore;
  private Path keystorePassword;
  private final List<String> origins = new ArrayList<>();
  private final List<String> hosts = new ArrayList<>();
  private Duration stepTimeout = Duration.ofSeconds(10);
  private String store;
  private Journal journal;
  private Consumer<String> requestLog;

  /** With every default. */
  public ServiceSettings() {
    for (ServiceLimit limit : ServiceLimit.values()) {
      limits.put(limit, limit.standard());
    }
  }

  /**
   * Sets a limit.
   *
   * @param limit which
   * @param value bytes, a number of things, or milliseconds
   * @return this
   * @throws InvalidInputException if it is out of range
   */
  public ServiceSettings limit(ServiceLimit limit, long value) {
    limits.put(limit, limit.require(value));
    return this;
  }

  /**
   * Sets a limit of time.
   *
   * @param limit which
   * @param time the time
   * @return this
   * @throws InvalidInputException if it is out of range
   */
  public ServiceSettings limit(ServiceLimit limit, Duration time) {
    return limit(limit, limit.requireMillis(time));
  }

  /**
   * Sets where it listens.
   *
   * @param address a host name or address; an IPv6 address may be in brackets, as in a URL
   * @param number a port; 0 for any that is free
   * @return this
   * @throws InvalidInputException if the address is blank, or the port is none
   */
  public ServiceSettings listenOn(String address, int number) {
    if (address.isBlank()) {
      throw new InvalidInputException(
          "settings", "bind", "'" + address + "'", "a host name or address; 0.0.0.0 for all");
    }
    if (number < 0 || number > 65_535) {
      throw new InvalidInputException(
          "settings", "port", Integer.toString(number), "a number from 0 to 65535");
    }
    bind = BRACKETED.matcher(address).replaceFirst("$1");
    port = number;
    return this;
  }

  /**
   * Adds the strategies of a directory.
   *
   * @param directory jars, and sub-directories of jars
   * @return this
   */
  public ServiceSettings plugins(Path directory) {
    plugins = directory;
    return this;
  }

  /**
   * Asks every caller for a token.
   *
   * @param file one token a line; blank lines and lines that begin with {@code #} do not count
   * @return this
   */
  public ServiceSettings tokens(Path file) {
    tokens = file;
    return this;
  }

  /**
   * Speaks TLS.
   *
   * @param store a PKCS#12 or JKS keystore with one key
   * @param password a file whose first line is its password
   * @return this
   */
  public ServiceSettings tls(Path store, Path password) {
    keystore = store;
    keystorePassword = password;
    return this;
  }

  /**
   * Lets pages of another origin read answers (CORS).
   *
   * @param allowed origins such as {@code https://example.org}; an asterisk alone for all
   * @return this
   * @throws InvalidInputException if one is no origin: a scheme, a host, and a port if there is one
   */
  public ServiceSettings origins(List<String> allowed) {
    for (String origin : allowed) {
      if (!ORIGIN.matcher(origin).matches()) {
        throw new InvalidInputException(
            "settings",
            "cors-origin",
            "'" + origin + "'",
            "an origin without a path, such as https://example.org, or * for all");
      }
    }
    allowed.forEach(origin -> origins.add(origin.toLowerCase(Locale.ROOT))); // As browsers send it.
    return this;
  }

  /**
   * Adds names by which requests may call the service where no token is needed. Loopback names and
   * the bound address are accepted anyway.
   *
   * @param names host names or addresses, without scheme and port
   * @return this
   * @throws InvalidInputException if one is neither a name nor an address
   */
  public ServiceSettings hosts(List<String> names) {
    for (String name : names) {
      if (!HostNames.isName(name)) {
        throw new InvalidInputException(
            "settings",
            "host",
            "'" + name + "'",
            "a host name or address without scheme and port, such as lighthouse.example.org");
      }
    }
    hosts.addAll(names);
    return this;
  }

  /**
   * Sets how long a thread of the service may make no progress before {@code /health/ready} and the
   * metrics report it as stuck. Nothing is ended by it.
   *
   * @param time the time; the default is 10 seconds
   * @return this
   * @throws InvalidInputException if it is out of range
   */
  public ServiceSettings stepTimeout(Duration time) {
    if (time.isNegative() || time.isZero() || time.compareTo(ServiceLimit.MOST_TIME) > 0) {
      throw new InvalidInputException(
          "settings", "stepTimeout", time.toString(), ServiceLimit.ALLOWED_TIMES);
    }
    stepTimeout = time;
    return this;
  }

  /**
   * Logs one line of JSON a request.
   *
   * @param sink takes the lines, from many threads; by default there is none
   * @return this
   */
  public ServiceSettings requestLog(Consumer<String> sink) {
    requestLog = sink;
    return this;
  }

  /**
   * Keeps fleets in a file, and serves the calls on them.
   *
   * @param file a file of SQLite's, made where it is not there; without it there are no such calls
   * @return this
   */
  public ServiceSettings store(Path file) {
    return store(file.toString());
  }

  /**
   * Keeps fleets in a store, and serves the calls on them.
   *
   * @param where a file of SQLite's, or {@code jdbc:postgresql://HOST/DATABASE} for a database that
   *     several services may share; tables are made where there are none
   * @return this
   */
  public ServiceSettings store(String where) {
    store = where;
    return this;
  }

  /** Whether fleets are kept. */
  boolean keepsFleets() {
    return store != null || journal != null;
  }

  /** Opens the store of the fleets; the caller closes it. */
  Journal openJournal() throws StoreException {
    return journal != null ? journal : Stores.open(store);
  }

  /** Keeps fleets in a journal that is open already. */
  ServiceSettings journal(Journal given) {
    journal = given;
    return this;
  }

  /** The limit, where it counts things. */
  int count(ServiceLimit limit) {
    return Math.toIntExact(limits.get(limit));
  }

  /** The limit, where it is a time. */
  Duration time(ServiceLimit limit) {
    return Duration.ofMillis(limits.get(limit));
  }

  /** Sets what a request may hold, all at once. */
  ServiceSettings content(Limits content) {
    faults = content.faults();
    return limit(ServiceLimit.DEPTH, content.depth())
        .limit(ServiceLimit.NAME, content.nameLength())
        .limit(ServiceLimit.DIGITS, content.numberLength())
        .limit(ServiceLimit.NODES, content.nodes())
        .limit(ServiceLimit.WORKLOADS, content.workloads())
        .limit(ServiceLimit.ENTRIES, content.entries());
  }

  /** What a request may hold. */
  Limits content() {
    return Limits.STANDARD
        .withFaults(faults)
        .withDepth(count(ServiceLimit.DEPTH))
        .withLengths(count(ServiceLimit.NAME), count(ServiceLimit.DIGITS))
        .withCounts(
            count(ServiceLimit.NODES), count(ServiceLimit.WORKLOADS), count(ServiceLimit.ENTRIES));
  }

  FleetLimits fleets() {
    return FleetLimits.STANDARD
        .withSizes(
            count(ServiceLimit.FLEETS), count(ServiceLimit.NODES), count(ServiceLimit.WORKLOADS))
        .withTurns(
            count(ServiceLimit.TURN),
            count(ServiceLimit.WAITING),
            time(ServiceLimit.DECISION_TIMEOUT))
        .withQueue(count(ServiceLimit.WAITING_PER_FLEET), time(ServiceLimit.QUEUE_TIMEOUT));
  }

  Optional<Consumer<String>> requestLog() {
    return Optional.ofNullable(requestLog);
  }

  String bind() {
    return bind;
  }

  int port() {
    return port;
  }

  Optional<Path> plugins() {
    return Optional.ofNullable(plugins);
  }

  Optional<Path> tokens() {
    return Optional.ofNullable(tokens);
  }

  Optional<Path> keystore() {
    return Optional.ofNullable(keystore);
  }

  Optional<Path> keystorePassword() {
    return Optional.ofNullable(keystorePassword);
  }

  List<String> hosts() {
    return List.copyOf(hosts);
  }

  List<String> origins() {
    return List.copyOf(origins);
  }

  /** What one body may really have: a body must fit among the bytes in flight. */
  long bodyBytes() {
    return Math.min(limits.get(ServiceLimit.BODY), bytesInFlight());
  }

  long bytesInFlight() {
    return limits.get(ServiceLimit.IN_FLIGHT);
  }

  Duration stepTimeout() {
    return stepTimeout;
  }
}
