/**
 * The calls on fleets that live in the service. Start at {@link
 * io.lighthouse.server.fleets.FleetRoutes}; what they do is done by {@code io.lighthouse.fleets}.
 */
package io.lighthouse.server.fleets;
