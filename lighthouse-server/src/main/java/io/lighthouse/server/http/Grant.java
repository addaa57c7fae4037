package io.lighthouse.server.http;

import java.util.Objects;

/**
 * The caller's permissions. Immutable and thread-safe.
 *
 * @param token the beginning of the hash of the caller's token; empty where no token is needed
 * @param role the permitted operations
 * @param scope the name of a fleet, or a prefix of names followed by a star; a star alone for all
 *     fleets
 */
public record Grant(String token, Role role, String scope) {
  /** Permitted operations on fleets; each role includes those before it. */
  public enum Role {
    /** Read and try out. */
    READER,
    /** Assign and release workloads. */
    PLACER,
    /** Change fleets and nodes, and move workloads. */
    ADMIN
  }

  /** The grant of all callers where no tokens are needed. */
  static final Grant ANYBODY = new Grant("", Role.ADMIN, "*");

  /** Checks. */
  public Grant {
    Objects.requireNonNull(token, "token");
    Objects.requireNonNull(role, "role");
    Objects.requireNonNull(scope, "scope");
  }

  /**
   * Whether the caller may know of a fleet.
   *
   * @param fleet its name
   * @return true if so
   */
  public boolean sees(String fleet) {
    return scope.endsWith("*")
        ? fleet.startsWith(scope.substring(0, scope.length() - 1))
        : fleet.equals(scope);
  }

  /**
   * Whether the caller has the permissions of a role.
   *
   * @param wanted the role
   * @return true if so
   */
  public boolean may(Role wanted) {
    return role.compareTo(wanted) >= 0;
  }
}
