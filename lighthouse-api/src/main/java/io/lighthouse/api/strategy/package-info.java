/**
 * The door for strategies: what an author of a placement strategy implements, and what the strategy
 * may see and do.
 *
 * <p>Implement {@link io.lighthouse.api.strategy.PlacementStrategy} and register it with {@code
 * provides} in your module descriptor and in {@code META-INF/services} (auto-service writes the
 * latter). Its {@link io.lighthouse.api.strategy.Placer} is asked once per workload, and gets
 * {@link io.lighthouse.api.strategy.Candidates}: only nodes that fit, and only friendly ones while
 * there are any. It answers which one. It never touches a quantity, and keeps no state of its own:
 * what must outlive a call lives in the {@link io.lighthouse.api.strategy.Fleet}.
 *
 * <p>A strategy that needs the whole batch at once returns a {@link
 * io.lighthouse.api.strategy.BatchPlacer}, which works in a {@link
 * io.lighthouse.api.strategy.Session}.
 *
 * <p>A strategy that throws, answers with anything but an offered candidate, or calls its
 * distributor back has failed: the call is rolled back, and the caller gets an error that names it.
 * All of it runs in the thread of the caller; nothing here may be used after the call that handed
 * it out has ended, but for the fleet, its nodes and orders, which live as long as the placer and
 * may be used in later calls of the same placer.
 */
package io.lighthouse.api.strategy;
