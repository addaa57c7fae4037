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
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** All that can be set of the service; nothing needs to be. Not thread-safe while it is set. */
public final class ServiceSettings {
  /** The port where nobody says another. */
  public static final int DEFAULT_PORT = 8087;

  /** The address where nobody says another: loopback. */
  public static final String DEFAULT_BIND = "127.0.0.1";

  /**
   * What a request may hold where nobody says otherwise. A placement has 6 levels; a name as long
   * as a DNS name fits.
   */
  public static final Limits DEFAULT_CONTENT =
      Limits.STANDARD
          .withDepth(64)
          .withLengths(256, 1100)
          .withCounts(100_000, 200_000, 10_000)
          .withFaults(100);

  /** Most bytes of a body, decompressed. */
  public static final long DEFAULT_BODY_BYTES = 32L << 20;

  /** What a byte of a body may cost in heap while it is read, placed and answered. */
  private static final int HEAP_PER_BYTE = 32;

  private String bind = DEFAULT_BIND;
  private int port = DEFAULT_PORT;
  private Path plugins;
  private Path tokens;
  private Path keystore;
  private Path keystorePassword;
  private final List<String> origins = new ArrayList<>();
  private final List<String> hosts = new ArrayList<>();
  private Limits content = DEFAULT_CONTENT;
  private long bodyBytes = DEFAULT_BODY_BYTES;
  private long bytesInFlight = Math.max(1 << 20, Runtime.getRuntime().maxMemory() / HEAP_PER_BYTE);
  private int decisions = Math.max(2, Runtime.getRuntime().availableProcessors());
  private int connections = 4096;
  private Duration headerTimeout = Duration.ofSeconds(30);
  private Duration bodyTimeout = Duration.ofSeconds(60);
  private Duration queueTimeout = Duration.ofSeconds(2);
  private Duration decisionTimeout = Duration.ofSeconds(10);
  private Duration stepTimeout = Duration.ofSeconds(10);
  private String store;
  private Journal journal;
  private FleetLimits fleets = FleetLimits.STANDARD;
  private int watchers = 256;
  private Consumer<String> requestLog;
  private Duration stopTimeout = Duration.ofSeconds(20);

  /** With every default. */
  public ServiceSettings() {}

  /**
   * Sets where it listens.
   *
   * @param address a host name or address
   * @param number a port; 0 for any that is free
   * @return this
   * @throws InvalidInputException if the port is none
   */
  public ServiceSettings listenOn(String address, int number) {
    require("port", number, 0, 65_535);
    bind = address;
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
   */
  public ServiceSettings origins(List<String> allowed) {
    origins.addAll(allowed);
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
   * Limits what a request holds.
   *
   * @param limits depth, lengths and counts
   * @return this
   */
  public ServiceSettings content(Limits limits) {
    content = limits;
    return this;
  }

  /**
   * Limits the bytes of one body.
   *
   * @param most most bytes, decompressed; never more than the bytes in flight
   * @return this
   * @throws InvalidInputException if it is below 1
   */
  public ServiceSettings bodyBytes(long most) {
    require("bodyBytes", most, 1, Long.MAX_VALUE);
    bodyBytes = most;
    return this;
  }

  /**
   * Limits the bytes of all bodies and answers at one time.
   *
   * @param most most bytes; by default 1/32 of the heap
   * @return this
   * @throws InvalidInputException if it is below 1
   */
  public ServiceSettings bytesInFlight(long most) {
    require("bytesInFlight", most, 1, Long.MAX_VALUE);
    bytesInFlight = most;
    return this;
  }

  /**
   * Limits the decisions at one time.
   *
   * @param most most decisions; by default one a processor, and at least 2
   * @return this
   * @throws InvalidInputException if it is not from 1 to 1000
   */
  public ServiceSettings decisions(int most) {
    require("decisions", most, 1, 1000);
    decisions = most;
    return this;
  }

  /**
   * Limits the open connections; others wait to be accepted.
   *
   * @param most most connections
   * @return this
   * @throws InvalidInputException if it is below 1
   */
  public ServiceSettings connections(int most) {
    require("connections", most, 1, Integer.MAX_VALUE);
    connections = most;
    return this;
  }

  /**
   * Limits how long a connection may go without the whole head of a request, idle or trickling.
   *
   * @param time the time since it was opened, or since its last answer
   * @return this
   */
  public ServiceSettings headerTimeout(Duration time) {
    headerTimeout = positive("headerTimeout", time);
    return this;
  }

  /**
   * Limits how long a body may take to come, and an answer to be taken.
   *
   * @param time the time for each
   * @return this
   */
  public ServiceSettings bodyTimeout(Duration time) {
    bodyTimeout = positive("bodyTimeout", time);
    return this;
  }

  /**
   * Limits how long a request waits for its turn.
   *
   * @param time the time
   * @return this
   */
  public ServiceSettings queueTimeout(Duration time) {
    queueTimeout = positive("queueTimeout", time);
    return this;
  }

  /**
   * Limits the time of one decision: to read a problem, place it, and write the answer.
   *
   * @param time the time
   * @return this
   */
  public ServiceSettings decisionTimeout(Duration time) {
    decisionTimeout = positive("decisionTimeout", time);
    return this;
  }

  /**
   * Limits how long a stop waits for what runs.
   *
   * @param time the time
   * @return this
   */
  public ServiceSettings stopTimeout(Duration time) {
    stopTimeout = positive("stopTimeout", time);
    return this;
  }

  /**
   * Says how long a thread of the service may go without moving on before {@code /health/ready} and
   * the metrics say so. Nothing is ended by it.
   *
   * @param time the time; 10 seconds where nobody says another
   * @return this
   */
  public ServiceSettings stepTimeout(Duration time) {
    stepTimeout = positive("stepTimeout", time);
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

  /**
   * How many fleets the store may have. The most nodes and workloads of a fleet, and the time for a
   * decision, are those of {@link #content} and {@link #decisionTimeout}.
   *
   * @param most most fleets
   * @return this
   * @throws InvalidInputException if it is below 1
   */
  public ServiceSettings maxFleets(int most) {
    fleets = fleets.withSizes(most, fleets.nodes(), fleets.workloads());
    return this;
  }

  /**
   * How many calls on a fleet are decided and made durable together.
   *
   * @param most most calls of a turn
   * @return this
   * @throws InvalidInputException if it is below 1
   */
  public ServiceSettings maxTurn(int most) {
    fleets = fleets.withTurns(most, fleets.waiting(), fleets.decision());
    return this;
  }

  /**
   * How many calls may wait for their turn, of all fleets.
   *
   * @param most most calls
   * @return this
   * @throws InvalidInputException if it is below 1
   */
  public ServiceSettings maxWaiting(int most) {
    fleets = fleets.withTurns(fleets.turn(), most, fleets.decision());
    return this;
  }

  /**
   * How many calls may wait for their turn, of one fleet.
   *
   * @param most most calls
   * @return this
   * @throws InvalidInputException if it is below 1
   */
  public ServiceSettings maxWaitingOfOne(int most) {
    fleets = fleets.withQueue(most, fleets.queue());
    return this;
  }

  /**
   * How many clients may follow the events of fleets.
   *
   * @param most most clients
   * @return this
   * @throws InvalidInputException if it is below 1
   */
  public ServiceSettings maxWatchers(int most) {
    require("watchers", most, 1, Integer.MAX_VALUE);
    watchers = most;
    return this;
  }

  /** Whether fleets are kept. */
  boolean keepsFleets() {
    return store != null || journal != null;
  }

  /** The store of the fleets, opened; closed by who opens it. */
  Journal openJournal() throws StoreException {
    return journal != null ? journal : Stores.open(store);
  }

  /** Keeps fleets in a journal that is open already. */
  ServiceSettings journal(Journal given) {
    journal = given;
    return this;
  }

  FleetLimits fleets() {
    return fleets
        .withSizes(fleets.fleets(), content.nodes(), content.workloads())
        .withTurns(fleets.turn(), fleets.waiting(), decisionTimeout)
        .withQueue(fleets.waitingOfOne(), queueTimeout);
  }

  int watchers() {
    return watchers;
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

  Limits content() {
    return content;
  }

  /** What one body may really have: a body must fit among the bytes in flight. */
  long bodyBytes() {
    return Math.min(bodyBytes, bytesInFlight);
  }

  long bytesInFlight() {
    return bytesInFlight;
  }

  int decisions() {
    return decisions;
  }

  int connections() {
    return connections;
  }

  Duration headerTimeout() {
    return headerTimeout;
  }

  Duration bodyTimeout() {
    return bodyTimeout;
  }

  Duration queueTimeout() {
    return queueTimeout;
  }

  Duration decisionTimeout() {
    return decisionTimeout;
  }

  Duration stepTimeout() {
    return stepTimeout;
  }

  Duration stopTimeout() {
    return stopTimeout;
  }

  private static void require(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new InvalidInputException(
          "settings",
          name,
          Long.toString(value),
          most >= Integer.MAX_VALUE
              ? least + " or more"
              : "a number from " + least + " to " + most);
    }
  }

  private static Duration positive(String name, Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new InvalidInputException("settings", name, time.toString(), "more than no time");
    }
    return time;
  }
}
