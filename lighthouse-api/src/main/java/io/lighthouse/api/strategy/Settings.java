package io.lighthouse.api.strategy;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The values of settings: one for every setting that a strategy or rule declares. Immutable. */
public final class Settings {
  private final Map<String, String> values = new TreeMap<>(Names.order());

  private Settings() {}

  /**
   * The given values, and the default values of all other settings.
   *
   * @param declared the settings that the strategy or rule accepts
   * @param given values by name
   * @return the settings
   * @throws InvalidInputException if a value is given for a name that is not declared
   * @throws NullPointerException if a name or a value is null; the message says which
   */
  public static Settings of(List<Setting> declared, Map<String, String> given) {
    return of("the strategy", "the settings ", declared, given);
  }

  /**
   * The same for a strategy, which the message about an unknown setting names.
   *
   * @param strategy the name of the strategy
   * @param declared the settings that it accepts
   * @param given values by name
   * @return the settings
   * @throws InvalidInputException if a value is given for a name that is not declared
   * @throws NullPointerException if a name or a value is null; the message says which
   */
  public static Settings of(String strategy, List<Setting> declared, Map<String, String> given) {
    String owner = "strategy '" + strategy + "'";
    return of(owner, "the settings of " + owner + ": ", declared, given);
  }

  /**
   * Makes the settings of a strategy.
   *
   * @param owner the strategy in words
   * @param known what stands before the names of the declared settings in a message
   */
  private static Settings of(
      String owner, String known, List<Setting> declared, Map<String, String> given) {
    Settings settings = new Settings();
    for (Setting setting : declared) {
      String name = Objects.requireNonNull(setting.name(), "the name of a declared setting");
      String value = given.getOrDefault(name, setting.defaultValue());
      settings.values.put(name, Objects.requireNonNull(value, name));
    }
    for (Map.Entry<String, String> entry : given.entrySet()) {
      Objects.requireNonNull(entry.getKey(), "the name of a given setting");
      if (!settings.values.containsKey(entry.getKey())) {
        List<String> names = declared.stream().map(Setting::name).toList();
        throw new InvalidInputException(
            "settings",
            "'" + entry.getKey() + "'",
            "'" + entry.getValue() + "'",
            names.isEmpty()
                ? "no setting, " + owner + " has none"
                : known + String.join(", ", names));
      }
    }
    return settings;
  }

  /**
   * A value as its text.
   *
   * @param name the name of a declared setting
   * @return its text
   * @throws IllegalArgumentException if the setting is not declared
   */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("setting '" + name + "' is not declared");
    }
    return value;
  }

  /**
   * A whole number.
   *
   * @param name the name of a declared setting
   * @param lowest the lowest allowed
   * @param highest the highest allowed
   * @return its value
   * @throws InvalidInputException if it is no whole number, or out of range
   */
  public long integer(String name, long lowest, long highest) {
    try {
      long value = Long.parseLong(text(name));
      if (value >= lowest && value <= highest) {
        return value;
      }
    } catch (NumberFormatException notWhole) {
      // Refused below, as a number out of range is.
    }
    throw wrong(name, "a whole number from " + lowest + " to " + highest);
  }

  /**
   * A quantity.
   *
   * @param name the name of a declared setting
   * @return its value
   * @throws InvalidInputException if it is no quantity
   */
  public Quantity quantity(String name) {
    try {
      return Quantity.of(text(name));
    } catch (InvalidInputException notANumber) {
      throw wrong(name, notANumber.allowed());
    }
  }

  /**
   * A yes or no.
   *
   * @param name the name of a declared setting
   * @return its value
   * @throws InvalidInputException if it is neither {@code true} nor {@code false}
   */
  public boolean flag(String name) {
    return switch (text(name)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(name, "true or false");
    };
  }

  @Override
  public String toString() {
    return values.toString();
  }

  private InvalidInputException wrong(String name, String allowed) {
    return new InvalidInputException("settings", name, "'" + text(name) + "'", allowed);
  }
}
