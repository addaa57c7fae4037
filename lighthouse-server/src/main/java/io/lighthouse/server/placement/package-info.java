/**
 * The stateless placement calls. Start at {@link io.lighthouse.server.placement.PlacementCall}: it
 * makes a distributor for each problem, and answers on one of the few threads of the {@link
 * io.lighthouse.server.placement.DecisionPool}.
 */
package io.lighthouse.server.placement;
