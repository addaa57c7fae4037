/**
 * The types that an author of a placement strategy implements and uses.
 *
 * <p>Implement {@link io.lighthouse.api.strategy.PlacementStrategy} and register it with {@code
 * provides} in your module descriptor and in {@code META-INF/services} (auto-service writes the
 * latter). Its {@link io.lighthouse.api.strategy.Placer} is called once for each workload. It gets
 * the {@link io.lighthouse.api.strategy.Candidates}, which are the friendly nodes that fit, or all
 * nodes that fit if none is friendly. It returns one of them. A placer never changes a quantity,
 * and keeps no state of its own. All state between calls is in the {@link
 * io.lighthouse.api.strategy.Fleet}.
 *
 * <p>A strategy that needs the whole batch at once returns a {@link
 * io.lighthouse.api.strategy.BatchPlacer}, which works with a {@link
 * io.lighthouse.api.strategy.Session}.
 *
 * <p>A strategy has failed if it throws an exception, returns anything but an offered candidate, or
 * calls its distributor. The call is then rolled back, and the caller gets an error that names the
 * strategy.
 *
 * <p>A strategy runs in the thread of the caller. The fleet, its nodes and its orders are valid as
 * long as the placer, and may be used in later calls of the same placer. Everything else here is
 * valid only during the call that passed it to the strategy.
 */
package io.lighthouse.api.strategy;
