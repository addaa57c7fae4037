package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import java.util.Collection;
import java.util.Comparator;
import java.util.Set;

/**
 * The rules for names of nodes, workloads, resources and groups. A name is non-empty, well-formed
 * Unicode. Names are compared as given: without case folding and without normalisation.
 */
public final class Names {
  private Names() {}

  /**
   * The order of names: by code point, ascending. It differs from {@link String#compareTo} where a
   * name holds characters beyond the basic plane. Cost: linear in the common prefix.
   *
   * @return the comparator; it takes no null
   */
  public static Comparator<String> order() {
    return Names::compare;
  }

  /**
   * Compares two names by code point.
   *
   * @param a a name
   * @param b another
   * @return negative, zero or positive as {@code a} is before, equal to, or after {@code b}
   */
  public static int compare(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Surrogates stand for code points above every other UTF-16 unit, but sort below U+E000.
        return Character.isSurrogate(x) == Character.isSurrogate(y)
            ? Character.compare(x, y)
            : Character.isSurrogate(x) ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /**
   * Requires that a name is well-formed.
   *
   * @param name the name
   * @param subject what is being named, for the message, such as {@code node}
   * @param field the field that holds the name, for the message, such as {@code name}
   * @return the same name
   * @throws InvalidInputException if it is empty or contains a lone surrogate
   * @throws NullPointerException if it is null
   */
  public static String require(String name, String subject, String field) {
    if (name.isEmpty()) {
      throw new InvalidInputException(subject, field, "''", "a name of at least one character");
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      if (Character.isLowSurrogate(c)
          || i + 1 == name.length()
          || !Character.isLowSurrogate(name.charAt(i + 1))) {
        throw new InvalidInputException(
            subject,
            field,
            String.format("a text with the lone surrogate U+%04X at index %d", (int) c, i),
            "well-formed Unicode");
      }
      i++;
    }
    return name;
  }

  /**
   * An immutable set of names in their order.
   *
   * @param names the names; repeated ones count once
   * @param subject the thing that has the names, for the message, such as {@code limits}
   * @param field the field that holds the names, for the message, such as {@code pinned}
   * @return the set; its iteration order is that of {@link #order()}
   * @throws InvalidInputException if a name is empty or contains a lone surrogate
   */
  public static Set<String> setOf(Collection<String> names, String subject, String field) {
    return SortedNames.copyOf(names, subject, field);
  }
}
