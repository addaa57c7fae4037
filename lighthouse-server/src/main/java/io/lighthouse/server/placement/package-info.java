/**
 * What the service is for. Start at {@link io.lighthouse.server.placement.PlacementCall}: a problem
 * comes in, a distributor is made for it alone, and its answer goes out, on one of the few threads
 * of the {@link io.lighthouse.server.placement.DecisionPool}.
 */
package io.lighthouse.server.placement;
