package io.lighthouse.server.fleets;

import static io.lighthouse.server.http.Grant.Role.READER;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.fleets.live.Fleets;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.Grant;
import io.lighthouse.server.http.ProblemDetails;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which calls to fleets are allowed: tokens have roles, and pages are known by their origin. */
final class FleetAccess {
  private final List<String> origins;

  /** Pages of these origins may change fleets, beside our own; a star for all. */
  FleetAccess(List<String> origins) {
    this.origins = List.copyOf(origins);
  }

  /**
   * A fleet that the caller may not see is reported as missing; an operation without permission is
   * forbidden.
   */
  void require(Exchange exchange, Grant.Role role) {
    refuseForeignPages(exchange);
    String fleet = exchange.name("fleet");
    Grant grant = exchange.grant();
    if (fleet != null && !grant.sees(fleet)) {
      throw Fleets.noSuchFleet(fleet);
    }
    Grant.Role needed = Asked.dryRun(exchange) ? READER : role;
    if (!grant.may(needed)) {
      throw forbidden(
          "the token has the role "
              + grant.role().name().toLowerCase(Locale.ROOT)
              + "; this needs the role "
              + needed.name().toLowerCase(Locale.ROOT));
    }
  }

  /** Whether the token of a request may read the request's fleet, by the present token file. */
  boolean mayRead(Exchange exchange) {
    return exchange
        .currentGrant()
        .filter(grant -> grant.may(READER) && grant.sees(exchange.name("fleet")))
        .isPresent();
  }

  /**
   * A browser lets any page send a POST, though not read its answer. Here it would change a fleet.
   */
  private void refuseForeignPages(Exchange exchange) {
    Optional<String> origin = Asked.header(exchange, "Origin");
    boolean asks = Asked.isQuestion(exchange);
    if (asks || origin.isEmpty() || origins.contains("*") || origins.contains(origin.get())) {
      return;
    }
    String host = Asked.header(exchange, "Host").orElse("");
    if (!origin.get().equals("http://" + host) && !origin.get().equals("https://" + host)) {
      String page = InvalidInputException.shortened(origin.get());
      throw forbidden("a page of " + page + " may not change fleets; see --cors-origin");
    }
  }

  private static Asked.WrongHead forbidden(String detail) {
    return new Asked.WrongHead(
        ProblemDetails.of(403, "forbidden", "The caller may not do that", detail));
  }
}
