package io.lighthouse.json.token;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes equal names one object. Makes equal quantities, resources, terms and sets of names one
 * object most of the time: a large text repeats them very often. Names are kept in a map of bounded
 * size. The others are kept in direct-mapped tables, where a new value replaces the old one of its
 * slot. So no choice of values makes it slow. Not thread-safe.
 */
final class Shared {
  private static final int MOST = 1 << 16;
  private static final int FIRST_BITS = 5;
  private static final int MOST_BITS = 12;

  /** A table is small at first, and grows once, when it is crowded. */
  private static final int GROWTH_BITS = 7;

  /**
   * Longer numbers, maps and lists are not shared: they are rare, and would be kept for nothing.
   */
  private static final int LONGEST = 64;

  private final Map<String, String> names = new HashMap<>();

  /** By slot: the text of a number, and its quantity. */
  private char[][] numbers = new char[1 << FIRST_BITS][];

  private Quantity[] quantities = new Quantity[1 << FIRST_BITS];
  private int numbersKept;

  /** By slot: names and quantities in the order of the text, and what was made of them. */
  private String[][] keys = new String[1 << FIRST_BITS][];

  private Quantity[][] values = new Quantity[1 << FIRST_BITS][];
  private Resources[] resources = new Resources[1 << FIRST_BITS];
  private int resourcesKept;

  /** By slot: names in the order of the text, and a workload that is immune to them. */
  private List<?>[] lists = new List<?>[1 << FIRST_BITS];

  private Workload[] holders = new Workload[1 << FIRST_BITS];
  private int listsKept;

  private Terms[] terms = new Terms[1 << FIRST_BITS];
  private int termsKept;

  /** The one object for a name that was met before; null for a new one. */
  String known(String name) {
    return names.get(name);
  }

  /** Keeps a new name. */
  String keep(String name) {
    if (names.size() < MOST) {
      names.put(name, name);
    }
    return name;
  }

  /** The one object for a name that is sound. */
  String keptName(String name) {
    String known = names.get(name);
    return known == null ? keep(name) : known;
  }

  /** The one object for equal terms. */
  Terms terms(Terms made) {
    int slot = slot(made.hashCode(), terms.length);
    if (made.equals(terms[slot])) {
      return terms[slot];
    }
    if (isCrowded(++termsKept, terms.length)) {
      terms = new Terms[terms.length << GROWTH_BITS];
      slot = slot(made.hashCode(), terms.length);
    }
    terms[slot] = made;
    return made;
  }

  /** The quantity of a number; throws as {@link Quantity#of(String)} does. */
  Quantity quantity(char[] text, int from, int length) {
    int hash = 0;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + text[i];
    }
    int slot = slot(hash, numbers.length);
    if (numbers[slot] != null
        && Arrays.equals(numbers[slot], 0, numbers[slot].length, text, from, from + length)) {
      return quantities[slot];
    }
    Quantity quantity = Quantity.of(new String(text, from, length));
    if (length <= LONGEST) {
      if (isCrowded(++numbersKept, numbers.length)) {
        int slots = numbers.length << GROWTH_BITS;
        numbers = new char[slots][];
        quantities = new Quantity[slots];
        slot = slot(hash, slots);
      }
      numbers[slot] = Arrays.copyOfRange(text, from, from + length);
      quantities[slot] = quantity;
    }
    return quantity;
  }

  /** The resources of these names, each once, and their quantities. Both arrays are copied. */
  Resources resources(String[] names, Quantity[] quantities, int count) {
    int hash = 0;
    for (int i = 0; i < count; i++) {
      hash = 31 * (31 * hash + names[i].hashCode()) + quantities[i].hashCode();
    }
    int slot = slot(hash, resources.length);
    if (resources[slot] != null
        && Arrays.equals(keys[slot], 0, keys[slot].length, names, 0, count)
        && Arrays.equals(values[slot], 0, values[slot].length, quantities, 0, count)) {
      return resources[slot];
    }
    String[] key = Arrays.copyOf(names, count);
    Quantity[] value = Arrays.copyOf(quantities, count);
    Resources made = Resources.of(key, value);
    if (count <= LONGEST) {
      if (isCrowded(++resourcesKept, resources.length)) {
        int slots = resources.length << GROWTH_BITS;
        keys = new String[slots][];
        values = new Quantity[slots][];
        resources = new Resources[slots];
        slot = slot(hash, slots);
      }
      keys[slot] = key;
      values[slot] = value;
      resources[slot] = made;
    }
    return made;
  }

  /** The set of these names, in the form that a {@link Workload} keeps without copying. */
  Set<String> set(List<String> list) {
    if (list.isEmpty()) {
      return Set.of();
    }
    int slot = slot(list.hashCode(), lists.length);
    if (list.equals(lists[slot])) {
      return holders[slot].immunities();
    }
    Set<String> once = new HashSet<>(list);
    Workload holder = new Workload("any", Resources.none(), once, Set.of());
    if (list.size() <= LONGEST) {
      if (isCrowded(++listsKept, lists.length)) {
        int slots = lists.length << GROWTH_BITS;
        lists = new List<?>[slots];
        holders = new Workload[slots];
        slot = slot(list.hashCode(), slots);
      }
      lists[slot] = List.copyOf(list);
      holders[slot] = holder;
    }
    return holder.immunities();
  }

  private static int slot(int hash, int slots) {
    int mixed = hash * 0x9e3779b9;
    return mixed >>> Integer.numberOfLeadingZeros(slots) + 1;
  }

  /**
   * Whether a table is full enough to grow. What it had is met again, or not: a text of a few
   * values, such as a call on a fleet, needs no large tables.
   */
  private static boolean isCrowded(int kept, int slots) {
    return kept > slots && slots < 1 << MOST_BITS;
  }
}
