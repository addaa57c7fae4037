package io.lighthouse.kubernetes.config;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.TimeWords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads {@link SchedulerSettings} from YAML 1.2 or JSON. A missing field is as in {@link
 * SchedulerSettings#STANDARD}. A field that is unknown or out of its range is refused, with its
 * value and what is allowed.
 */
public final class SettingsFile {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern SUBDOMAIN = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
  private static final Pattern LABEL_KEY =
      Pattern.compile("([a-z0-9][-a-z0-9.]{0,252}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final List<String> OF_A_PROFILE =
      List.of("schedulerName", "strategy", "defaultSpread", "imageLocality");
  private static final String POINTS = "a list of points such as {utilization: 0, score: 10}";
  private static final String LABEL_WORDS = "at most 63 of a-z, 0-9 and -";
  private static final String SUBDOMAIN_WORDS = "at most 253 of a-z, 0-9, - and .";

  private final String where;
  private final String path;
  private final Map<?, ?> values;
  private final TreeSet<String> asked = new TreeSet<>();

  private SettingsFile(String where, String path, Map<?, ?> values) {
    this.where = where;
    this.path = path;
    this.values = values;
  }

  /**
   * Reads a file.
   *
   * @param file the file
   * @return the settings
   * @throws InvalidInputException if it cannot be read, or says what is not allowed
   */
  public static SchedulerSettings read(Path file) {
    return read(file.toString(), ConfigFile.read(file.toString(), file));
  }

  /**
   * Reads a text.
   *
   * @param where what messages call the text
   * @param text YAML or JSON
   * @return the settings
   * @throws InvalidInputException if it holds what is not allowed
   */
  public static SchedulerSettings read(String where, String text) {
    return read(where, ConfigFile.parse(where, text));
  }

  private static SchedulerSettings read(String where, Map<?, ?> fields) {
    return new SettingsFile(where, "", fields).whole(SettingsFile::settings);
  }

  private SchedulerSettings settings() {
    SchedulerSettings standard = SchedulerSettings.STANDARD;
    return new SchedulerSettings(
        profiles(standard.first()),
        section("leaderElection", in -> in.election(standard.election())),
        section("binding", in -> in.binding(standard.binding())),
        section("preemption", in -> in.isEnabled(standard.preemption())),
        section("podGroups", in -> in.isEnabled(standard.podGroups())),
        section("resourceClaims", in -> in.isEnabled(standard.resourceClaims())),
        section("queue", in -> in.queue(standard.queue())),
        section("events", in -> in.number("perSecond", standard.eventsPerSecond(), 1, 10_000)),
        section("monitor", in -> in.monitor(standard.monitor())),
        section("extender", in -> in.extender(standard.extender())));
  }

  /** Either {@code profiles}, or the fields of the only one. */
  private List<SchedulerSettings.Profile> profiles(SchedulerSettings.Profile standard) {
    Object given = value("profiles");
    if (given == null) {
      String name = name("schedulerName", standard.schedulerName(), SUBDOMAIN, SUBDOMAIN_WORDS);
      return List.of(profile(name, standard));
    }
    for (String field : OF_A_PROFILE) {
      if (value(field) != null) {
        throw wrong(field, value(field), "nothing beside profiles: each profile has its own");
      }
    }
    if (!(given instanceof Map<?, ?> names) || names.isEmpty()) {
      throw wrong("profiles", given, "an object with a profile for each schedulerName");
    }
    SettingsFile inside = inside("profiles");
    List<SchedulerSettings.Profile> profiles = new ArrayList<>();
    for (Object key : names.keySet()) {
      if (!(key instanceof String name)) {
        throw wrong("profiles", key, "names of schedulers, in quotes where they are no text");
      }
      if (!SUBDOMAIN.matcher(name).matches()) {
        throw wrong("profiles", key, "names of schedulers, " + SUBDOMAIN_WORDS);
      }
      profiles.add(inside.section(name, profile -> profile.profile(name, standard)));
    }
    return profiles;
  }

  private SchedulerSettings.Profile profile(String name, SchedulerSettings.Profile standard) {
    return new SchedulerSettings.Profile(
        name,
        section("strategy", in -> in.strategy(standard.strategy())),
        section("defaultSpread", in -> in.defaultSpread(standard.defaultSpread())),
        section("imageLocality", in -> in.isEnabled(standard.imageLocality())));
  }

  private SchedulerSettings.Strategy strategy(SchedulerSettings.Strategy standard) {
    Object plugins = value("plugins");
    Map<String, String> rubric = texts("rubric");
    String given = text("name", standard.name());
    boolean isShaped = given.equals(StockFit.SHAPED);
    if (!isShaped && value("shape") != null) {
      throw wrong("shape", value("shape"), "nothing: only RequestedToCapacityRatio has a shape");
    }
    if (isShaped && value("shape") == null) {
      throw new InvalidInputException(where, path + "shape", "missing", POINTS);
    }
    String name =
        StockFit.strategy(given, shape())
            .orElseThrow(
                () ->
                    wrong(
                        "shape",
                        value("shape"),
                        "scores that only rise, or only fall; no strategy prefers a share in"
                            + " between"));
    if (rubric.isEmpty() && name.equals(StockFit.FULLEST) && !name.equals(given)) {
      rubric = StockFit.RUBRIC;
    }
    return new SchedulerSettings.Strategy(
        name,
        texts("settings"),
        rubric.isEmpty() ? Optional.empty() : Optional.of(Rubric.of(rubric)),
        plugins == null ? Optional.empty() : Optional.of(Path.of(text("plugins", ""))));
  }

  private List<String> defaultSpread(List<String> standard) {
    List<String> keys = labels("topologyKeys", standard);
    return isEnabled(!standard.isEmpty()) ? keys : List.of();
  }

  private SchedulerSettings.Election election(SchedulerSettings.Election standard) {
    return new SchedulerSettings.Election(
        isEnabled(standard.enabled()),
        name("namespace", standard.namespace(), LABEL, LABEL_WORDS),
        name("name", standard.name(), SUBDOMAIN, SUBDOMAIN_WORDS),
        time("duration", standard.duration(), Duration.ofSeconds(1), Duration.ofMinutes(10)));
  }

  private SchedulerSettings.Binding binding(SchedulerSettings.Binding standard) {
    Duration least = Duration.ofMillis(100);
    return new SchedulerSettings.Binding(
        number("workers", standard.workers(), 1, 64),
        number("inFlight", standard.inFlight(), 1, 100_000),
        time("timeout", standard.timeout(), least, Duration.ofSeconds(60)),
        time("volumeTimeout", standard.volumeTimeout(), least, Duration.ofHours(24)));
  }

  private SchedulerSettings.Queue queue(SchedulerSettings.Queue standard) {
    Duration least = Duration.ofMillis(1);
    Duration most = Duration.ofHours(1);
    Duration first = time("firstPause", standard.firstPause(), least, most);
    Duration longest =
        value("longestPause") == null && first.compareTo(standard.longestPause()) > 0
            ? first
            : time("longestPause", standard.longestPause(), first, most);
    return new SchedulerSettings.Queue(
        first,
        longest,
        time("listAgain", standard.listAgain(), Duration.ofSeconds(1), Duration.ofHours(24)));
  }

  private SchedulerSettings.Monitor monitor(SchedulerSettings.Monitor standard) {
    return new SchedulerSettings.Monitor(
        text("address", standard.address()), number("port", standard.port(), -1, 65_535));
  }

  private SchedulerSettings.Extender extender(SchedulerSettings.Extender standard) {
    return new SchedulerSettings.Extender(
        text("address", standard.address()),
        number("port", standard.port(), 0, 65_535),
        time("timeout", standard.timeout(), Duration.ofMillis(100), Duration.ofSeconds(60)));
  }

  /** The scores of a shape of the stock scheduler; none where there is no shape. */
  private List<Integer> shape() {
    Object value = value("shape");
    List<Integer> scores = new ArrayList<>();
    if (value == null) {
      return scores;
    }
    if (!(value instanceof List<?> points)) {
      throw wrong("shape", value, POINTS);
    }
    int least = 0;
    for (Object point : points) {
      if (!(point instanceof Map<?, ?> map)) {
        throw wrong("shape", point, POINTS);
      }
      SettingsFile inside = new SettingsFile(where, path + "shape.", map);
      int utilization = inside.number("utilization", -1, least, 100);
      int score = inside.number("score", -1, 0, 10);
      inside.end();
      if (utilization < 0 || score < 0) {
        throw wrong("shape", point, POINTS);
      }
      least = utilization + 1;
      scores.add(score);
    }
    return scores;
  }

  private List<String> labels(String field, List<String> standard) {
    Object value = value(field);
    if (value == null) {
      return standard;
    }
    Set<String> labels = new LinkedHashSet<>();
    if (value instanceof List<?> list) {
      for (Object label : list) {
        if (!(label instanceof String text) || !LABEL_KEY.matcher(text).matches()) {
          throw wrong(field, label, "keys of labels, such as topology.kubernetes.io/zone");
        }
        labels.add(text);
      }
      if (labels.size() == list.size() && !labels.isEmpty()) {
        return List.copyOf(labels);
      }
    }
    throw wrong(field, value, "a list of keys of labels, each once; enabled: false for none");
  }

  /** What a function makes of all fields of a section. */
  private <T> T section(String name, Function<SettingsFile, T> parts) {
    return inside(name).whole(parts);
  }

  /** What a function makes of all fields. Whatever it does not ask for is not known. */
  private <T> T whole(Function<SettingsFile, T> parts) {
    T read = parts.apply(this);
    end();
    return read;
  }

  private SettingsFile inside(String name) {
    Object value = value(name);
    if (value != null && !(value instanceof Map<?, ?>)) {
      throw wrong(name, value, "an object");
    }
    Map<?, ?> inside = value == null ? Map.of() : (Map<?, ?>) value;
    return new SettingsFile(where, path + name + ".", inside);
  }

  private Object value(String field) {
    asked.add(field);
    return values.get(field);
  }

  private String text(String field, String standard) {
    Object value = value(field);
    if (value == null) {
      return standard;
    }
    if (!(value instanceof String text) || text.isBlank()) {
      throw wrong(field, value, "a text");
    }
    return text;
  }

  private String name(String field, String standard, Pattern pattern, String words) {
    String text = text(field, standard);
    if (!pattern.matcher(text).matches()) {
      throw wrong(field, text, words);
    }
    return text;
  }

  private boolean isEnabled(boolean standard) {
    Object value = value("enabled");
    if (value == null) {
      return standard;
    }
    if (!(value instanceof Boolean flag)) {
      throw wrong("enabled", value, "true or false");
    }
    return flag;
  }

  private int number(String field, int standard, int least, int most) {
    Object value = value(field);
    if (value == null) {
      return standard;
    }
    if (!(value instanceof Integer number) || number < least || number > most) {
      throw wrong(field, value, "a whole number from " + least + " to " + most);
    }
    return number;
  }

  private Duration time(String field, Duration standard, Duration least, Duration most) {
    Object value = value(field);
    if (value == null) {
      return standard;
    }
    Optional<Duration> found = TimeWords.parse(value.toString());
    if (found.isPresent()
        && found.get().compareTo(least) >= 0
        && found.get().compareTo(most) <= 0) {
      return found.get();
    }
    throw wrong(
        field,
        value,
        "a number with ms, s, m or h, from "
            + least.toMillis()
            + "ms to "
            + most.toSeconds()
            + "s");
  }

  private Map<String, String> texts(String field) {
    Object value = value(field);
    Map<String, String> texts = new LinkedHashMap<>();
    if (value == null) {
      return texts;
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw wrong(field, value, "an object");
    }
    map.forEach(
        (key, inside) -> {
          boolean scalar =
              inside instanceof String || inside instanceof Number || inside instanceof Boolean;
          if (!scalar) {
            throw wrong(field + "." + key, inside, "a text, a number, true or false");
          }
          texts.put(key.toString(), inside.toString());
        });
    return texts;
  }

  private void end() {
    for (Object key : values.keySet()) {
      if (!(key instanceof String name) || !asked.contains(name)) {
        throw ConfigFile.unknown(where, path, key, asked);
      }
    }
  }

  private InvalidInputException wrong(String field, Object found, String allowed) {
    return new InvalidInputException(where, path + field, "'" + found + "'", allowed);
  }
}
