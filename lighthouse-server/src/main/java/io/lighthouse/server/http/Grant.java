package io.lighthouse.server.http;

import java.util.Objects;

/**
 * What who calls may do. Immutable and thread-safe.
 *
 * @param token who calls: the beginning of the hash of the token; empty where anybody may
 * @param role what he may do
 * @param scope the fleet that it holds for, or what its name begins with and a star behind; a star
 *     alone for all
 */
public record Grant(String token, Role role, String scope) {
  /** What one may do with fleets; each also what those before it may. */
  public enum Role {
    /** Ask, and try out. */
    READER,
    /** Assign and release workloads. */
    PLACER,
    /** Change fleets, nodes, and where workloads are. */
    ADMIN
  }

  /** That of anybody, where no tokens are asked for. */
  static final Grant ANYBODY = new Grant("", Role.ADMIN, "*");

  /** Checks. */
  public Grant {
    Objects.requireNonNull(token, "token");
    Objects.requireNonNull(role, "role");
    Objects.requireNonNull(scope, "scope");
  }

  /**
   * Whether he may know of a fleet.
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
   * Whether he may do what a role may.
   *
   * @param wanted the role
   * @return true if so
   */
  public boolean may(Role wanted) {
    return role.compareTo(wanted) >= 0;
  }
}
