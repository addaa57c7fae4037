/**
 * The entry to the engine: {@link io.lighthouse.core.Distributors} makes distributors.
 *
 * <p>A {@code LedgerDistributor} takes its lock for each call and has {@code FleetOperations} carry
 * it out. The operations use the ledger, the engine and the strategy, and no threads. The changes
 * of a call that throws are rolled back. A call that changes something increases the generation,
 * and {@code ChangeNotifier} notifies the listeners once the lock is free. A {@code
 * TrialDistributor} has the same operations on the same ledger inside a trial, which is rolled
 * back.
 */
package io.lighthouse.core;
