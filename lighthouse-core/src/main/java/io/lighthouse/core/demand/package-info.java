/**
 * The workloads of one call, compiled when the call begins.
 *
 * <p>A {@link io.lighthouse.core.demand.Batch} takes the names of its workloads, settles the scales
 * of their quantities, and looks up their levels and groups. At its turn a workload is a {@link
 * io.lighthouse.core.ledger.Demand}, copied from these arrays, which never changes. Closing the
 * batch frees the names of workloads that are not placed.
 *
 * <p>This package is above the ledger: it takes names and groups there. The ledger accepts demands,
 * and does not know where they come from. It is for one thread at a time.
 */
package io.lighthouse.core.demand;
