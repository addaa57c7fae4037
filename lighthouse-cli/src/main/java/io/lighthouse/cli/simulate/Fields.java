package io.lighthouse.cli.simulate;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Names;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The members of one JSON object. Whoever reads it asks for each, and at the end for {@link #end}.
 */
final class Fields {
  /** No virtual time is later: a hundred years. */
  private static final BigDecimal LATEST = BigDecimal.valueOf(100L * 366 * 24 * 3600);

  private final String path;
  private final Map<?, ?> members;
  private final Set<String> asked = new HashSet<>();

  Fields(String path, Object value) {
    this.path = path;
    if (!(value instanceof Map<?, ?> map)) {
      throw new InvalidInputException("trace", path, shown(value), "an object");
    }
    this.members = map;
  }

  boolean has(String name) {
    asked.add(name);
    return members.containsKey(name);
  }

  String text(String name) {
    Object value = value(name);
    if (!(value instanceof String text) || text.isEmpty()) {
      throw wrong(name, value, "a text");
    }
    return text;
  }

  /** One of a few words. */
  String word(String name, String fallback, List<String> words) {
    String word = has(name) ? text(name) : fallback;
    if (!words.contains(word)) {
      throw wrong(name, word, "one of " + String.join(", ", words));
    }
    return word;
  }

  boolean flag(String name, boolean fallback) {
    if (!has(name)) {
      return fallback;
    }
    if (value(name) instanceof Boolean flag) {
      return flag;
    }
    throw wrong(name, value(name), "true or false");
  }

  int whole(String name, int fallback, int lowest) {
    if (!has(name)) {
      return fallback;
    }
    try {
      int number = number(name).intValueExact();
      if (number >= lowest) {
        return number;
      }
    } catch (ArithmeticException notWhole) {
      // Refused below, as a number that is too small is.
    }
    throw wrong(name, value(name), "a whole number from " + lowest + " to " + Integer.MAX_VALUE);
  }

  /** A time or duration in seconds. */
  Duration seconds(String name) {
    BigDecimal seconds = number(name);
    if (seconds.signum() < 0 || seconds.compareTo(LATEST) > 0 || seconds.scale() > 9) {
      throw wrong(
          name, value(name), "seconds from 0 to " + LATEST + ", at most nine digits of a fraction");
    }
    return Duration.ofSeconds(0, seconds.movePointRight(9).longValueExact());
  }

  Duration seconds(String name, Duration fallback) {
    return has(name) ? seconds(name) : fallback;
  }

  Resources resources(String name) {
    Map<String, Object> quantities = new LinkedHashMap<>();
    Fields inner = new Fields(path + "." + name, value(name));
    for (Map.Entry<?, ?> entry : inner.members.entrySet()) {
      Object quantity = entry.getValue();
      if (!(quantity instanceof Quantity) && !(quantity instanceof String)) {
        throw inner.wrong(entry.getKey().toString(), quantity, "a number");
      }
      quantities.put(entry.getKey().toString(), quantity);
    }
    return Resources.of(quantities);
  }

  Optional<Resources> optionalResources(String name) {
    return has(name) ? Optional.of(resources(name)) : Optional.empty();
  }

  Map<String, String> texts(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (has(name)) {
      Fields inner = new Fields(path + "." + name, value(name));
      inner.members.forEach((key, value) -> texts.put(key.toString(), value.toString()));
    }
    return texts;
  }

  /** Objects in a list. */
  List<Fields> list(String name) {
    Object value = value(name);
    if (!(value instanceof List<?> entries)) {
      throw wrong(name, value, "a list of objects");
    }
    List<Fields> fields = new ArrayList<>();
    for (Object entry : entries) {
      String inner = path.isEmpty() ? name : path + "." + name;
      fields.add(new Fields(inner + "[" + fields.size() + "]", entry));
    }
    return fields;
  }

  Optional<Fields> object(String name) {
    return has(name) ? Optional.of(new Fields(name, value(name))) : Optional.empty();
  }

  /** Complains of a member that nobody asked for. */
  void end() {
    for (Object name : members.keySet()) {
      if (!asked.contains(name)) {
        List<String> known = new ArrayList<>(asked);
        known.sort(Names.order());
        throw new InvalidInputException(
            "trace", path.isEmpty() ? "member" : path, "'" + name + "'", String.join(", ", known));
      }
    }
  }

  /** Makes a complaint of what it stands for say where that stands. */
  InvalidInputException at(InvalidInputException wrong) {
    return new InvalidInputException(
        "trace: " + path + ": " + wrong.subject(), wrong.field(), wrong.found(), wrong.allowed());
  }

  private BigDecimal number(String name) {
    if (value(name) instanceof Quantity quantity && !quantity.isInfinite()) {
      return quantity.toBigDecimal();
    }
    throw wrong(name, value(name), "a number");
  }

  private Object value(String name) {
    if (!has(name)) {
      throw new InvalidInputException("trace", full(name), "missing", "a value");
    }
    return members.get(name);
  }

  private InvalidInputException wrong(String name, Object found, String allowed) {
    return new InvalidInputException("trace", full(name), shown(found), allowed);
  }

  private String full(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static String shown(Object value) {
    if (value instanceof Map) {
      return "an object";
    }
    if (value instanceof List) {
      return "a list";
    }
    return value instanceof String ? "'" + value + "'" : String.valueOf(value);
  }
}
