package io.lighthouse.json;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonToken;

/**
 * Reads the values that occur everywhere: names, quantities, maps and lists of them. Every method
 * reads the next token and everything below it; where that is wrong it notes a fault and answers
 * null. Not thread-safe.
 */
final class Values {
  /** Up to here a repeated name is looked for one by one. */
  private static final int FEW = 16;

  private final Tokens tokens;
  private final Shared shared = new Shared();

  /** The map being read: its names and quantities, the first so many. */
  private String[] names = new String[FEW];

  private Quantity[] quantities = new Quantity[FEW];

  Values(Tokens tokens) {
    this.tokens = tokens;
  }

  /** A name of its own, such as that of a node. */
  String ownName(String allowed) {
    if (tokens.next() != JsonToken.VALUE_STRING) {
      tokens.wrong(allowed);
      return null;
    }
    return tokens.requireName(tokens.string());
  }

  /** A name that no other thing in the set has. */
  String uniqueName(Set<String> taken, String kind) {
    String name = ownName("the name of a " + kind);
    if (name != null && !taken.add(name)) {
      tokens.wrong("'" + name + "', given before", "a name that no other " + kind + " has");
      return null;
    }
    return name;
  }

  boolean flag() {
    JsonToken token = tokens.next();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      tokens.wrong("true or false");
    }
    return token == JsonToken.VALUE_TRUE;
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
      return tokens.string();
    }
    tokens.wrong("a text, a number, true or false");
    return null;
  }

  /** A list of names, a repeated one once. */
  Set<String> names(String kind) {
    tokens.next();
    if (!tokens.isArray("an array of names of " + kind)) {
      return null;
    }
    int before = tokens.faultCount();
    List<String> list = new ArrayList<>();
    int entries = 0;
    while (tokens.next() != JsonToken.END_ARRAY) {
      checkEntries(++entries);
      if (tokens.current() == JsonToken.VALUE_STRING) {
        list.add(name(tokens.string()));
      } else {
        tokens.wrong("a name");
      }
    }
    return before == tokens.faultCount() ? shared.set(list) : null;
  }

  /** A map from names to quantities. */
  Resources resources(Use use) {
    tokens.next();
    if (!tokens.isObject("an object of names and quantities")) {
      return null;
    }
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

  private Quantity quantity(String name, Use use) {
    JsonToken token = tokens.next();
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
      } else if (use == Use.WEIGHT) {
        Rubric.of(name, quantity);
      }
      return quantity;
    } catch (InvalidInputException wrong) {
      tokens.wrong(wrong.allowed());
      return null;
    }
  }

  private Quantity number() {
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

  void checkEntries(int count) {
    if (count > tokens.limits().entries()) {
      throw tokens.stop(
          Fault.Kind.LIMIT, "one too many", "at most " + tokens.limits().entries() + " entries");
    }
  }

  /** What quantities are for: some may not be infinite, and weights have a range. */
  enum Use {
    NODE,
    REQUIREMENT,
    WEIGHT
  }
}
