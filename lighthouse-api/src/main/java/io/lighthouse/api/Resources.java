package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.quantity.Quantity;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * An immutable map from names of resources to quantities: what a node offers or a workload
 * requires. It is kept in the order of the names ({@link Names#order()}), so equal maps have equal
 * texts.
 *
 * <p>Cost: a binary search to read by name, one array access to read by index. Thread-safe.
 */
public final class Resources {
  private static final Resources NONE = new Resources(new String[0], new Quantity[0]);

  /** Ascending by {@link Names#order()}, each once. */
  private final String[] names;

  /** The quantity of each name, by the same index. */
  private final Quantity[] quantities;

  private Resources(String[] names, Quantity[] quantities) {
    this.names = names;
    this.quantities = quantities;
  }

  /**
   * No resource at all.
   *
   * @return the empty map
   */
  public static Resources none() {
    return NONE;
  }

  /**
   * Names and quantities in turn: {@code Resources.of("cpu", 6, "mem", "12.5")}.
   *
   * @param namesAndQuantities a name, its quantity (anything that {@link Quantity#of(Object)}
   *     takes), the next name, and so on
   * @return the map
   * @throws InvalidInputException if a name is missing, ill-formed or repeated, or a quantity is
   *     none
   */
  public static Resources of(Object... namesAndQuantities) {
    if (namesAndQuantities.length % 2 != 0) {
      throw new InvalidInputException(
          "resources",
          "arguments",
          Plural.of(namesAndQuantities.length, "value"),
          "names and quantities in turn");
    }
    String[] names = new String[namesAndQuantities.length / 2];
    Quantity[] quantities = new Quantity[names.length];
    for (int i = 0; i < names.length; i++) {
      if (!(namesAndQuantities[2 * i] instanceof String name)) {
        throw new InvalidInputException(
            "resources", "argument " + 2 * i, "no text", "the name of a resource");
      }
      names[i] = name;
      quantities[i] = quantityOf(name, namesAndQuantities[2 * i + 1]);
    }
    return sorted(names, quantities);
  }

  /**
   * The entries of a map.
   *
   * @param quantities anything that {@link Quantity#of(Object)} takes, by name
   * @return the map
   * @throws InvalidInputException if a name is ill-formed or a quantity is none
   */
  public static Resources of(Map<String, ?> quantities) {
    String[] names = new String[quantities.size()];
    Quantity[] values = new Quantity[names.length];
    int i = 0;
    for (Map.Entry<String, ?> entry : quantities.entrySet()) {
      names[i] = entry.getKey();
      values[i++] = quantityOf(entry.getKey(), entry.getValue());
    }
    return sorted(names, values);
  }

  /**
   * Names and quantities in two arrays of equal length. The arrays are copied. This is the cheapest
   * factory method for parsers.
   *
   * @param names the names, in any order
   * @param quantities the quantity of each
   * @return the map
   * @throws InvalidInputException if the lengths differ or a name is ill-formed or repeated
   */
  public static Resources of(String[] names, Quantity[] quantities) {
    if (names.length != quantities.length) {
      throw new InvalidInputException(
          "resources",
          "quantities",
          Plural.of(quantities.length, "value"),
          Plural.of(names.length, "value"));
    }
    return sorted(names.clone(), quantities.clone());
  }

  /**
   * The number of names.
   *
   * @return 0 or more
   */
  public int size() {
    return names.length;
  }

  /**
   * Whether the map is empty.
   *
   * @return true if {@link #size} is 0
   */
  public boolean isEmpty() {
    return names.length == 0;
  }

  /**
   * The name at an index.
   *
   * @param index from 0 to {@code size() - 1}, in the order of the names
   * @return the name
   * @throws IndexOutOfBoundsException if there is no such index
   */
  public String name(int index) {
    return names[index];
  }

  /**
   * The quantity at an index.
   *
   * @param index from 0 to {@code size() - 1}, in the order of the names
   * @return the quantity
   * @throws IndexOutOfBoundsException if there is no such index
   */
  public Quantity quantity(int index) {
    return quantities[index];
  }

  /**
   * Whether the map contains a name, whatever its quantity.
   *
   * @param name a name
   * @return true if it is
   */
  public boolean has(String name) {
    return indexOf(name) >= 0;
  }

  /**
   * The quantity of a name.
   *
   * @param name a name
   * @return its quantity; empty if the name is missing
   */
  public Optional<Quantity> get(String name) {
    int index = indexOf(name);
    return index < 0 ? Optional.empty() : Optional.of(quantities[index]);
  }

  /**
   * The names, in their order.
   *
   * @return an unmodifiable list
   */
  public List<String> names() {
    return Collections.unmodifiableList(Arrays.asList(names));
  }

  /**
   * The same as a {@link Map}, in the order of the names.
   *
   * @return an unmodifiable map
   */
  public Map<String, Quantity> asMap() {
    Map<String, Quantity> map = new LinkedHashMap<>();
    for (int i = 0; i < names.length; i++) {
      map.put(names[i], quantities[i]);
    }
    return Collections.unmodifiableMap(map);
  }

  /**
   * The same with one quantity added or replaced.
   *
   * @param name the name to set
   * @param quantity anything that {@link Quantity#of(Object)} takes
   * @return a new map
   * @throws InvalidInputException if the name is ill-formed or the quantity is none
   */
  public Resources with(String name, Object quantity) {
    Map<String, Object> map = new LinkedHashMap<>(asMap());
    map.put(name, quantity);
    return of(map);
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof Resources other
        && Arrays.equals(names, other.names)
        && Arrays.equals(quantities, other.quantities);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(names) + Arrays.hashCode(quantities);
  }

  @Override
  public String toString() {
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      entries.add(names[i] + ": " + quantities[i]);
    }
    return "{" + String.join(", ", entries) + "}";
  }

  private int indexOf(String name) {
    return Arrays.binarySearch(names, name, Names.order());
  }

  private static Quantity quantityOf(String name, Object value) {
    try {
      return Quantity.of(value);
    } catch (InvalidInputException wrong) {
      throw new InvalidInputException(
          "resource '" + name + "'", "quantity", wrong.found(), wrong.allowed());
    }
  }

  /** Sorts both arrays in place by name, and uses them without copying. */
  private static Resources sorted(String[] names, Quantity[] quantities) {
    for (int i = 0; i < names.length; i++) {
      Names.require(names[i], "resource", "name");
      Objects.requireNonNull(quantities[i], names[i]);
    }
    if (!ascending(names)) {
      List<Map.Entry<String, Quantity>> entries = new ArrayList<>();
      for (int i = 0; i < names.length; i++) {
        entries.add(new AbstractMap.SimpleImmutableEntry<>(names[i], quantities[i]));
      }
      entries.sort(Map.Entry.comparingByKey(Names.order()));
      for (int i = 0; i < names.length; i++) {
        names[i] = entries.get(i).getKey();
        quantities[i] = entries.get(i).getValue();
        if (i > 0 && names[i].equals(names[i - 1])) {
          throw new InvalidInputException(
              "resource '" + names[i] + "'", "name", "given twice", "each name once");
        }
      }
    }
    return names.length == 0 ? NONE : new Resources(names, quantities);
  }

  private static boolean ascending(String[] names) {
    for (int i = 1; i < names.length; i++) {
      if (Names.compare(names[i - 1], names[i]) >= 0) {
        return false;
      }
    }
    return true;
  }
}
