package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import java.util.Objects;
import java.util.Optional;

/**
 * Workloads of one batch that are placed all or none. Workloads whose gangs have the same name form
 * one gang. Immutable and thread-safe.
 *
 * @param name the name of the gang
 * @param within the level of which one domain must hold all members; empty for anywhere
 */
public record Gang(String name, Optional<String> within) {
  /**
   * Checks.
   *
   * @throws InvalidInputException if a name is empty or ill-formed
   */
  public Gang {
    Names.require(name, "gang", "name");
    Objects.requireNonNull(within, "within");
    within.ifPresent(level -> Names.require(level, "gang '" + name + "'", "within"));
  }

  /**
   * A gang whose members may be placed on any nodes.
   *
   * @param name its name
   * @return the gang
   */
  public static Gang of(String name) {
    return new Gang(name, Optional.empty());
  }

  /**
   * The same in one domain of a level.
   *
   * @param level the level
   * @return a new gang
   */
  public Gang within(String level) {
    return new Gang(name, Optional.of(level));
  }
}
