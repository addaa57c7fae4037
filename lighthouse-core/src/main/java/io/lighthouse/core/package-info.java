/**
 * Where a distributor comes from: {@link io.lighthouse.core.Distributors}.
 *
 * <p>A call comes in at a {@code LedgerDistributor}, which takes its lock and has {@code
 * Operations} carry it out: those know the ledger, the engine and the strategy, and no threads.
 * What throws is played back from the log of the ledger. What stands makes the generation grow, and
 * {@code Announcements} tells listeners of it once the lock is free. A {@code TriedDistributor} is
 * the same operations on the same ledger inside a trial, after which everything is played back.
 */
package io.lighthouse.core;
