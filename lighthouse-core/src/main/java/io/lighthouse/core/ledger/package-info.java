/**
 * The exact accounts of every node, and the only code that changes them: commit, release, roll
 * back, copy.
 *
 * <p>Start at {@link io.lighthouse.core.ledger.Ledger}. This is the way of a batch: {@link
 * io.lighthouse.core.ledger.Batch} takes the names of its workloads. {@code Admission} decides
 * whether all quantities stay exact; otherwise the batch is rejected, and nothing has changed. At
 * its turn a workload is compiled to a {@link io.lighthouse.core.ledger.Demand}: ids of resources,
 * and longs scaled by resource. {@code place} checks that it fits, and takes its requirements from
 * the node. It then notifies each {@link io.lighthouse.core.ledger.LedgerListener}, and adds the
 * inverse to the log ({@code UndoLog}). A roll back executes the inverses after a savepoint, the
 * newest first. A commit forgets them, and frees whatever only a roll back could have needed.
 *
 * <p>A ledger has parts, each with one responsibility. The nodes are in {@link
 * io.lighthouse.core.ledger.NodeTable}. Their capacities and what is left are in {@link
 * io.lighthouse.core.ledger.NodeAccounts}. The resources with their scales are in {@link
 * io.lighthouse.core.ledger.ResourceTable}, the domains in {@link
 * io.lighthouse.core.ledger.Topology}. The node of each workload is in {@link
 * io.lighthouse.core.ledger.Placements}. The members of groups are counted in {@link
 * io.lighthouse.core.ledger.Members}. The changes of nodes are made by {@link
 * io.lighthouse.core.ledger.NodeChanges}. Readers use the part directly.
 *
 * <p>Nodes are identified by slot ({@code Slots}), which they keep while other nodes are added and
 * removed. This package does not choose nodes for workloads. It is for one thread at a time.
 */
package io.lighthouse.core.ledger;
