/**
 * The HTTP calls on kept fleets. Start at {@link io.lighthouse.server.fleets.FleetRoutes}. The
 * package {@code io.lighthouse.fleets} carries the calls out.
 */
package io.lighthouse.server.fleets;
