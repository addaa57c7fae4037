package io.lighthouse.tests.referee;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One function for each kind of a sealed type. It takes the place of a pattern switch, which Java
 * 17 lacks: {@link #complete} fails where a kind has no function, so a forgotten kind fails the
 * first test that loads the class. Not safe for use by several threads until it is complete.
 *
 * @param <T> the sealed type
 * @param <R> what the functions return
 */
public final class Cases<T, R> {
  private final Class<T> sealed;
  private final Map<Class<?>, Function<T, R>> cases = new LinkedHashMap<>();

  private Cases(Class<T> sealed) {
    this.sealed = sealed;
  }

  /**
   * Begins a table without functions.
   *
   * @param sealed the sealed type
   * @param <T> the same
   * @param <R> what the functions return
   * @return an incomplete table
   */
  public static <T, R> Cases<T, R> of(Class<T> sealed) {
    return new Cases<>(sealed);
  }

  /**
   * Adds the function of a kind.
   *
   * @param kind a permitted subclass
   * @param then what to return for a value of it
   * @param <K> the kind
   * @return this
   */
  public <K extends T> Cases<T, R> on(Class<K> kind, Function<? super K, ? extends R> then) {
    cases.put(kind, value -> then.apply(kind.cast(value)));
    return this;
  }

  /**
   * Adds one function for all kinds that have none yet. It is right where a forgotten kind shows in
   * another way.
   *
   * @param then what to return for a value of any of them
   * @return this
   */
  public Cases<T, R> others(Function<? super T, ? extends R> then) {
    kinds(sealed).forEach(kind -> cases.putIfAbsent(kind, then::apply));
    return this;
  }

  /**
   * Ends the table.
   *
   * @return this
   * @throws IllegalStateException if a kind has no function
   */
  public Cases<T, R> complete() {
    List<Class<?>> missing = new ArrayList<>(kinds(sealed));
    missing.removeAll(cases.keySet());
    if (!missing.isEmpty()) {
      throw new IllegalStateException("no case of " + sealed.getSimpleName() + " for " + missing);
    }
    return this;
  }

  /**
   * Applies the function of a value's kind.
   *
   * @param value the value
   * @return what its function returns
   */
  public R apply(T value) {
    return cases.get(value.getClass()).apply(value);
  }

  /**
   * Lists the kinds of a sealed type.
   *
   * @param sealed the type
   * @return its permitted subclasses; for one that is sealed itself, those of it
   */
  public static List<Class<?>> kinds(Class<?> sealed) {
    List<Class<?>> kinds = new ArrayList<>();
    for (Class<?> kind : sealed.getPermittedSubclasses()) {
      if (kind.isSealed()) {
        kinds.addAll(kinds(kind));
      } else {
        kinds.add(kind);
      }
    }
    return kinds;
  }
}
