/**
 * The nodes, the domains, the placements and the members of groups, and the only code that changes
 * them: place, remove, roll back, copy.
 *
 * <p>Start at {@link io.lighthouse.core.ledger.Ledger}. {@code place} checks that a workload fits,
 * and takes its requirements from the node. It then adds the inverse to the log ({@code UndoLog}),
 * and notifies each {@link io.lighthouse.core.ledger.PlacementListener}. Other changes are reported
 * to each {@link io.lighthouse.core.ledger.LedgerListener}. A roll back executes the inverses after
 * a savepoint, the newest first. A commit forgets them, and frees whatever only a roll back could
 * have needed.
 *
 * <p>A ledger has parts, each with one responsibility. The nodes and what is left of them are in
 * {@link io.lighthouse.core.account.NodeAccounts}, the domains in {@link
 * io.lighthouse.core.ledger.Topology}. The node of each workload is in {@link
 * io.lighthouse.core.ledger.Placements}. The members of groups are counted in {@link
 * io.lighthouse.core.ledger.Members}. The changes of nodes are made by {@link
 * io.lighthouse.core.ledger.NodeChanges}, those of domains by {@link
 * io.lighthouse.core.ledger.DomainChanges}. What one workload needs is a {@link
 * io.lighthouse.core.ledger.Demand}. Readers use the part directly.
 *
 * <p>Nodes are identified by slot, which they keep while other nodes are added and removed. This
 * package does not choose nodes for workloads. It is for one thread at a time.
 */
package io.lighthouse.core.ledger;
