package io.lighthouse.json.token;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.Fault;
import io.lighthouse.json.UnitHint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.core.JsonToken;

/**
 * Reads the values that occur everywhere: names, quantities, maps and lists of them. Every method
 * reads the next token and everything below it; where that is wrong it notes a fault and answers
 * null. Not thread-safe.
 */
public final class Values {
  /** Up to here a repeated name is looked for one by one. */
  private static final int FEW = 16;

  private final Tokens tokens;
  private final Shared shared = new Shared();

  /** The map being read: its names and quantities, up to the count so far. */
  private String[] names = new String[FEW];

  private Quantity[] quantities = new Quantity[FEW];

  /** What stood for quantities as objects in the map read last, by name; null where nothing did. */
  private Map<String, Stock> stocks;

  private final InventoryParser inventories;

  public Values(Tokens tokens) {
    this.tokens = tokens;
    this.inventories = new InventoryParser(tokens, this);
  }

  /** A name of its own, such as that of a node. */
  public String ownName(String allowed) {
    if (tokens.next() != JsonToken.VALUE_STRING) {
      tokens.wrong(allowed);
      return null;
    }
    return tokens.requireName(tokens.string());
  }

  /** A name that no other thing in the set has. */
  public String uniqueName(Set<String> taken, String kind, String allowed) {
    String name = ownName(allowed);
    if (name != null && !taken.add(name)) {
      tokens.wrong("'" + name + "', given before", "a name that no other " + kind + " has");
      return null;
    }
    return name;
  }

  public boolean flag() {
    JsonToken token = tokens.next();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      tokens.wrong("true or false");
    }
    return token == JsonToken.VALUE_TRUE;
  }

  /** Notes a fault unless the value is {@code true}. */
  public void isTrue() {
    if (tokens.next() != JsonToken.VALUE_TRUE) {
      tokens.wrong("true");
    }
  }

  /** A whole number, not below a bound. */
  public int wholeNumber(int least) {
    return wholeNumber(least, Integer.MAX_VALUE);
  }

  /** A whole number within bounds. */
  public int wholeNumber(int least, int most) {
    return (int) wholeNumber((long) least, (long) most);
  }

  /** A generation of a fleet. */
  public long generation() {
    return wholeNumber(0, Long.MAX_VALUE);
  }

  private long wholeNumber(long least, long most) {
    JsonToken token = tokens.next();
    if (token.isNumeric()) {
      tokens.requireLength(tokens.numberLength(), tokens.limits().numberLength());
      try {
        Quantity number = number();
        if (number.scale() == 0
            && number.compareTo(Quantity.of(least)) >= 0
            && number.compareTo(Quantity.of(most)) <= 0) {
          return number.toBigDecimal().longValueExact();
        }
      } catch (InvalidInputException tooLong) {
        // Noted below.
      }
    }
    tokens.wrong("a whole number from " + least + " to " + most);
    return least;
  }

  /** Settings by name, in the order given; null where they are wrong. */
  public Map<String, String> settings() {
    return byName("an object of names and values", Set.of(), "", this::setting);
  }

  /** The domain at each level of a node; null where they are wrong. */
  public Map<String, String> domains() {
    return byName(
        "an object of levels and names of domains",
        Set.of(Rule.NODE, Rule.FLEET),
        "a level but node and fleet, where all stand",
        () -> {
          String domain = ownName("the name of a domain");
          return domain == null ? null : shared.keptName(domain);
        });
  }

  /** What is shared of each level; null where it is wrong. */
  public Map<String, Resources> shared() {
    return byName(
        "an object of levels, each with an object of names and quantities",
        Set.of(Rule.NODE),
        "a level but node, whose resources are its requirements",
        () -> resources(Use.REQUIREMENT));
  }

  /**
   * A map in the order given; null where it is wrong.
   *
   * @param allowed what is allowed where it is no object
   * @param forbidden the names that it may not have
   * @param instead what is allowed in place of those
   * @param value reads the value that comes
   */
  private <V> Map<String, V> byName(
      String allowed, Set<String> forbidden, String instead, Supplier<V> value) {
    tokens.next();
    if (!tokens.isObject(allowed)) {
      return null;
    }
    int before = tokens.faultCount();
    Map<String, V> values = new LinkedHashMap<>();
    String raw;
    while ((raw = tokens.nextName()) != null) {
      if (values.containsKey(raw)) {
        tokens.wrongMember("given twice", "each name once");
        continue;
      }
      if (forbidden.contains(raw)) {
        tokens.wrongMember("'" + raw + "'", instead);
        continue;
      }
      String name = name(raw);
      if (name == null) {
        tokens.next();
        tokens.skip();
      } else {
        values.put(name, value.get());
        checkEntries(values.size());
      }
    }
    return before == tokens.faultCount() ? values : null;
  }

  /** The value of a setting, as text. */
  String setting() {
    JsonToken token = tokens.next();
    if (token == JsonToken.VALUE_STRING) {
      String text = tokens.string();
      return text.isEmpty() ? text : tokens.requireName(text);
    }
    if (token.isBoolean()) {
      return token == JsonToken.VALUE_TRUE ? "true" : "false";
    }
    if (token.isNumeric()) {
      tokens.requireLength(tokens.numberLength(), tokens.limits().numberLength());
      Quantity infinity = tokens.infinity();
      return infinity == null ? tokens.string() : infinity.toString();
    }
    tokens.wrong("a text, a number, true or false");
    return null;
  }

  /** A list of names, a repeated one once. */
  public Set<String> names(String kind) {
    tokens.next();
    List<String> list =
        list(
            "an array of names of " + kind,
            () -> {
              if (tokens.current() == JsonToken.VALUE_STRING) {
                return name(tokens.string());
              }
              tokens.wrong("a name");
              return null;
            });
    return list == null ? null : shared.set(list);
  }

  /** A list, which is the current token; null where it is wrong, or what stands for an entry. */
  public <T> List<T> list(String allowed, Supplier<T> entry) {
    if (!tokens.isArray(allowed)) {
      return null;
    }
    int before = tokens.faultCount();
    List<T> list = new ArrayList<>();
    while (tokens.next() != JsonToken.END_ARRAY) {
      checkEntries(list.size() + 1);
      list.add(entry.get());
    }
    return before == tokens.faultCount() ? list : null;
  }

  /** A map from names to quantities. */
  public Resources resources(Use use) {
    tokens.next();
    return currentResources(use);
  }

  /** A map from names to quantities, which is the current token. */
  public Resources currentResources(Use use) {
    if (!tokens.isObject("an object of names and quantities")) {
      return null;
    }
    stocks = null;
    int before = tokens.faultCount();
    int count = 0;
    Set<String> many = null;
    String raw;
    while ((raw = tokens.nextName()) != null) {
      String name = name(raw);
      if (count == FEW && many == null) {
        many = new HashSet<>(Arrays.asList(names).subList(0, count));
      }
      if (name == null) {
        tokens.next();
        tokens.skip();
        continue;
      }
      if (many == null ? contains(name, count) : !many.add(name)) {
        tokens.wrongMember("given twice", "each name once");
        continue;
      }
      if (count == names.length) {
        names = Arrays.copyOf(names, 2 * count);
        quantities = Arrays.copyOf(quantities, 2 * count);
      }
      names[count] = name;
      quantities[count++] = quantity(name, use);
      checkEntries(count);
    }
    return before == tokens.faultCount() ? shared.resources(names, quantities, count) : null;
  }

  /**
   * What stood for quantities as objects in the resources read last, by name; for the caller to
   * keep. Empty where nothing did.
   */
  public Map<String, Stock> takeStocks() {
    Map<String, Stock> taken = stocks == null ? Map.of() : stocks;
    stocks = null;
    return taken;
  }

  /** The one object for equal terms, most of the time. */
  public Terms shared(Terms terms) {
    return terms == Terms.NONE ? terms : shared.terms(terms);
  }

  /** A quantity; the name is that of its resource, for a weight. */
  public Quantity quantity(String name, Use use) {
    JsonToken token = tokens.next();
    if (use == Use.NODE && token == JsonToken.START_OBJECT) {
      Stock stock = inventories.stock();
      if (stock == null) {
        return null;
      }
      stocks = stocks == null ? new LinkedHashMap<>() : stocks;
      stocks.put(name, stock);
      return stock.quantity();
    }
    int most = tokens.limits().numberLength();
    String text = null;
    if (token == JsonToken.VALUE_STRING) {
      text = tokens.string();
      tokens.requireLength(text.length(), most);
    } else if (token.isNumeric()) {
      tokens.requireLength(tokens.numberLength(), most);
    } else {
      tokens.wrong(Tokens.NUMBER);
      return null;
    }
    try {
      Quantity quantity = text == null ? number() : ofString(text);
      if (use == Use.REQUIREMENT && quantity.isInfinite()) {
        tokens.wrong("a finite decimal");
      } else if (use == Use.ABOVE_0 && (quantity.isInfinite() || quantity.signum() <= 0)) {
        tokens.wrong("a finite number above 0");
      } else if (use == Use.WEIGHT) {
        Rubric.of(name, quantity);
      }
      return quantity;
    } catch (InvalidInputException wrong) {
      tokens.wrong(Optional.ofNullable(text).flatMap(UnitHint::of).orElse(wrong.allowed()));
      return null;
    }
  }

  private Quantity number() {
    Quantity infinity = tokens.infinity();
    if (infinity != null) {
      return infinity;
    }
    int length = tokens.numberLength();
    return shared.quantity(tokens.numberCharacters(), tokens.numberStart(), length);
  }

  private Quantity ofString(String text) {
    String bare = tokens.bareToken(text);
    return Quantity.of(bare == null ? text : bare);
  }

  /** The one object for a resource's or group's name; null where it is none. */
  private String name(String raw) {
    String known = shared.known(raw);
    if (known != null) {
      return known;
    }
    String sound = tokens.requireName(raw);
    return sound == null ? null : shared.keep(sound);
  }

  private boolean contains(String name, int count) {
    for (int i = 0; i < count; i++) {
      if (names[i].equals(name)) {
        return true;
      }
    }
    return false;
  }

  public void checkEntries(int count) {
    if (count > tokens.limits().entries()) {
      throw tokens.stop(
          Fault.Kind.LIMIT,
          "one too many",
          "at most " + Plural.of(tokens.limits().entries(), "entry"));
    }
  }

  /**
   * What quantities are for: those of a node or domain may be objects, some may not be infinite,
   * and weights have a range.
   */
  public enum Use {
    NODE,
    PLAIN,
    REQUIREMENT,
    ABOVE_0,
    WEIGHT
  }
}
