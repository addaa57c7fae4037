package io.lighthouse.core.registry;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.strategy.Setting;
import java.util.List;
import java.util.function.Supplier;

/** What a strategy or rule declares of itself, read from its code and checked. */
final class Declaration {
  private static final String NAMES = "[a-z][a-z0-9-]{0,99}";

  private Declaration() {}

  /**
   * Reads a declaration.
   *
   * @param kind what declares it, such as {@code rule}
   * @param origin its class and jar
   * @param code reads and checks it
   * @throws LighthouseException if a part is wrong, or the code throws
   */
  static <T> T read(String kind, String origin, Supplier<T> code) {
    try {
      return code.get();
    } catch (LighthouseException known) {
      throw known;
    } catch (RuntimeException | LinkageError | StackOverflowError thrown) {
      throw new LighthouseException(
          kind + " (" + origin + ") threw when asked what it is: " + thrown, thrown);
    }
  }

  /** Requires that a name is well-formed. */
  static void checkName(String kind, String name, String origin) {
    if (name == null || !name.matches(NAMES)) {
      throw new LighthouseException(
          kind
              + " ("
              + origin
              + ") has the name '"
              + name
              + "'; allowed: lower-case letters, digits and hyphens, beginning with a letter, at"
              + " most 100 characters");
    }
  }

  /** Whether settings, or a part of one, are null. */
  static boolean hasNull(List<Setting> settings) {
    return settings == null
        || settings.stream()
            .anyMatch(
                one ->
                    one == null
                        || one.name() == null
                        || one.meaning() == null
                        || one.defaultValue() == null);
  }
}
