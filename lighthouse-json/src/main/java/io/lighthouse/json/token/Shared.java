package io.lighthouse.json.token;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.quantity.Quantity;
import java.util.Arrays;
import java.util.HashMap;
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

  /**
   * Longer numbers, maps and lists are not shared: they are rare, and would be kept for nothing.
   */
  private static final int LONGEST = 64;

  private final Map<String, String> names = new HashMap<>();

  /** By the text of a number: its quantity. */
  private final Table<char[], Quantity> numbers = new Table<>();

  /** By names and quantities in the order of the text: what was made of them. */
  private final Table<Amounts, Resources> resources = new Table<>();

  /** By names in the order of the text: their set. */
  private final Table<List<String>, Set<String>> lists = new Table<>();

  private final Table<Terms, Terms> terms = new Table<>();

  /** The names of a map, and the quantity of each. */
  private record Amounts(String[] names, Quantity[] quantities) {}

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
    int hash = made.hashCode();
    Terms known = terms.value(hash);
    if (made.equals(known)) {
      return known;
    }
    terms.put(hash, made, made);
    return made;
  }

  /** The quantity of a number; throws as {@link Quantity#of(String)} does. */
  Quantity quantity(char[] text, int from, int length) {
    int hash = 0;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + text[i];
    }
    char[] known = numbers.key(hash);
    if (known != null && Arrays.equals(known, 0, known.length, text, from, from + length)) {
      return numbers.value(hash);
    }
    Quantity quantity = Quantity.of(new String(text, from, length));
    if (length <= LONGEST) {
      numbers.put(hash, Arrays.copyOfRange(text, from, from + length), quantity);
    }
    return quantity;
  }

  /** The resources of these names, each once, and their quantities. Both arrays are copied. */
  Resources resources(String[] names, Quantity[] quantities, int count) {
    int hash = 0;
    for (int i = 0; i < count; i++) {
      hash = 31 * (31 * hash + names[i].hashCode()) + quantities[i].hashCode();
    }
    Amounts known = resources.key(hash);
    if (known != null
        && Arrays.equals(known.names, 0, known.names.length, names, 0, count)
        && Arrays.equals(known.quantities, 0, known.names.length, quantities, 0, count)) {
      return resources.value(hash);
    }
    Amounts key = new Amounts(Arrays.copyOf(names, count), Arrays.copyOf(quantities, count));
    Resources made = Resources.of(key.names, key.quantities);
    if (count <= LONGEST) {
      resources.put(hash, key, made);
    }
    return made;
  }

  /** The set of these names, in the form that workloads keep without copying. */
  Set<String> set(List<String> list) {
    if (list.isEmpty()) {
      return Set.of();
    }
    int hash = list.hashCode();
    if (list.equals(lists.key(hash))) {
      return lists.value(hash);
    }
    Set<String> set = Names.setOf(list, "set", "names");
    if (list.size() <= LONGEST) {
      lists.put(hash, List.copyOf(list), set);
    }
    return set;
  }

  /** A direct-mapped table: small at first, and it grows once, when it is crowded. */
  private static final class Table<K, V> {
    private static final int SMALL_BITS = 5;
    private static final int LARGE_BITS = 12;

    private int bits = SMALL_BITS;
    private Object[] keys = new Object[1 << SMALL_BITS];
    private Object[] values = new Object[1 << SMALL_BITS];
    private int kept;

    /** The key in the slot of a hash; null in an empty one. */
    @SuppressWarnings("unchecked") // Only put writes the slots.
    K key(int hash) {
      return (K) keys[slot(hash)];
    }

    /** What belongs to that key. */
    @SuppressWarnings("unchecked") // Only put writes the slots.
    V value(int hash) {
      return (V) values[slot(hash)];
    }

    /**
     * Replaces what the slot of a hash has. Where the table grows, what it had is met again, or
     * not: a text of a few values, such as a call on a fleet, needs no large tables.
     */
    void put(int hash, K key, V value) {
      if (++kept > keys.length && bits < LARGE_BITS) {
        bits = LARGE_BITS;
        keys = new Object[1 << LARGE_BITS];
        values = new Object[1 << LARGE_BITS];
      }
      keys[slot(hash)] = key;
      values[slot(hash)] = value;
    }

    private int slot(int hash) {
      return hash * 0x9e3779b9 >>> Integer.SIZE - bits;
    }
  }
}
