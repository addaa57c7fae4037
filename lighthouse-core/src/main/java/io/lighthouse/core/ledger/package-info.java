/**
 * The exact accounts of every node, and the only code that changes them: commit, release, roll
 * back, copy.
 *
 * <p>Start at {@link io.lighthouse.core.ledger.Ledger}. {@link io.lighthouse.core.ledger.Batch}
 * checks and compiles the workloads of one call, {@link io.lighthouse.core.ledger.Demand} is one of
 * them at its turn. Resources and layouts go by small ids, quantities are longs scaled per
 * resource. Nothing here decides who goes where. One thread at a time.
 */
package io.lighthouse.core.ledger;
