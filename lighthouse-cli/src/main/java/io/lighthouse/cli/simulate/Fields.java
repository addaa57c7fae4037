package io.lighthouse.cli.simulate;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.simulation.Trace;
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
 * The members of one JSON object. The reader takes each member, and at the end calls {@link #end}.
 */
final class Fields {
  /** No quantity of a trace is larger. */
  private static final Quantity MOST = Quantity.of("1e30");

  private final String path;
  private final Map<?, ?> members;
  private final Set<String> asked = new HashSet<>();

  /** A number as it was written: how large it may be, and how fine, is for its reader to say. */
  record Number(String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  /** The value null. */
  enum Null {
    NULL;

    @Override
    public String toString() {
      return "null";
    }
  }

  Fields(String path, Object value) {
    this.path = path;
    if (!(value instanceof Map<?, ?> map)) {
      throw new InvalidInputException(
          "trace", path.isEmpty() ? "the text" : path, shown(value), "an object");
    }
    this.members = map;
  }

  boolean has(String name) {
    asked.add(name);
    return members.containsKey(name);
  }

  /** A name: a text that is not empty and well-formed. */
  String text(String name) {
    Object value = value(name);
    if (!(value instanceof String text) || text.isEmpty()) {
      throw wrong(name, value, "a text that is not empty");
    }
    try {
      return Names.require(text, "trace", full(name));
    } catch (InvalidInputException ill) {
      throw wrong(name, value, ill.allowed());
    }
  }

  /** One of a few words. */
  String word(String name, String fallback, List<String> words) {
    if (!has(name) && !fallback.isEmpty()) {
      return fallback;
    }
    Object word = value(name);
    if (!(word instanceof String text) || !words.contains(text)) {
      throw wrong(name, word, "one of " + String.join(", ", words));
    }
    return text;
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

  int whole(String name, int fallback, int lowest, int highest) {
    if (!has(name)) {
      return fallback;
    }
    String allowed = "a whole number from " + lowest + " to " + highest;
    try {
      int number = number(name, allowed).intValueExact();
      if (number >= lowest && number <= highest) {
        return number;
      }
    } catch (ArithmeticException notWhole) {
      // Refused below, as a number that is too small is.
    }
    throw wrong(name, value(name), allowed);
  }

  /** A time or duration in seconds. */
  Duration seconds(String name) {
    return seconds(name, Duration.ZERO, Trace.LATEST);
  }

  Duration seconds(String name, Duration lowest, Duration highest) {
    BigDecimal least = DecisionLines.seconds(lowest).toBigDecimal();
    BigDecimal most = DecisionLines.seconds(highest).toBigDecimal();
    String allowed =
        "seconds from "
            + least.toPlainString()
            + " to "
            + most.toPlainString()
            + ", at most nine digits of a fraction";
    BigDecimal seconds = number(name, allowed);
    if (seconds.compareTo(least) < 0 || seconds.compareTo(most) > 0) {
      throw wrong(name, value(name), allowed);
    }
    if (seconds.signum() != 0 && seconds.stripTrailingZeros().scale() > 9) {
      throw wrong(name, value(name), allowed);
    }
    return seconds.signum() == 0
        ? Duration.ZERO
        : Duration.ofSeconds(0, seconds.movePointRight(9).longValueExact());
  }

  /** What a node has, or work needs. */
  Resources resources(String name) {
    return quantities(name, Quantity.ZERO, "a decimal from 0 to 1e30");
  }

  Optional<Resources> optionalResources(String name) {
    return has(name) ? Optional.of(resources(name)) : Optional.empty();
  }

  /** Weights, which may be negative. */
  Optional<Resources> weights(String name) {
    return has(name)
        ? Optional.of(quantities(name, MOST.negated(), "a decimal from -1e30 to 1e30"))
        : Optional.empty();
  }

  private Resources quantities(String name, Quantity least, String allowed) {
    Map<String, Object> quantities = new LinkedHashMap<>();
    Fields inner = new Fields(full(name), value(name));
    for (Map.Entry<?, ?> entry : inner.members.entrySet()) {
      String resource = entry.getKey().toString();
      if (!(entry.getValue() instanceof Number number)) {
        throw inner.wrong(resource, entry.getValue(), allowed);
      }
      try {
        Names.require(resource, "trace", inner.path);
      } catch (InvalidInputException ill) {
        throw new InvalidInputException("trace", inner.path, shown(resource), ill.allowed());
      }
      Quantity quantity;
      try {
        quantity = Quantity.of(number.text());
      } catch (InvalidInputException ill) {
        throw inner.wrong(resource, number, ill.allowed());
      }
      if (quantity.compareTo(least) < 0 || quantity.compareTo(MOST) > 0) {
        throw inner.wrong(resource, number, allowed);
      }
      quantities.put(resource, quantity);
    }
    return Resources.of(quantities);
  }

  Map<String, String> texts(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (has(name)) {
      Fields inner = new Fields(full(name), value(name));
      inner.members.forEach(
          (key, value) -> {
            if (value instanceof Map || value instanceof List || value == Null.NULL) {
              throw inner.wrong(key.toString(), value, "a text, a number, true or false");
            }
            texts.put(key.toString(), value.toString());
          });
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
      fields.add(new Fields(full(name) + "[" + fields.size() + "]", entry));
    }
    return fields;
  }

  Optional<Fields> object(String name) {
    return has(name) ? Optional.of(new Fields(full(name), value(name))) : Optional.empty();
  }

  /** Complains of a member that was not taken. */
  void end() {
    for (Object name : members.keySet()) {
      if (!asked.contains(name)) {
        List<String> known = new ArrayList<>(asked);
        known.sort(Names.order());
        throw new InvalidInputException(
            "trace",
            path.isEmpty() ? "a member" : "a member of " + path,
            "'" + name + "'",
            String.join(", ", known));
      }
    }
  }

  /** A complaint of one member. */
  InvalidInputException wrong(String name, String allowed) {
    return wrong(name, value(name), allowed);
  }

  private BigDecimal number(String name, String allowed) {
    if (value(name) instanceof Number number) {
      try {
        return new BigDecimal(number.text());
      } catch (NumberFormatException beyondAnyExponent) {
        throw wrong(name, number, allowed);
      }
    }
    throw wrong(name, value(name), allowed);
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
