/**
 * The exact accounts of every node, and the only code that changes them: commit, release, roll
 * back, copy.
 *
 * <p>Start at {@link io.lighthouse.core.ledger.Ledger}. The way of a batch through here: {@link
 * io.lighthouse.core.ledger.Batch} takes the names of its workloads and has {@code Admission}
 * decide whether all quantities stay exact; else it is refused, and nothing has changed. At its
 * turn a workload is a {@link io.lighthouse.core.ledger.Demand}: ids of resources and longs, scaled
 * by resource. {@code place} checks that it fits, takes what it requires from the node, tells each
 * {@link io.lighthouse.core.ledger.LedgerListener}, and leaves the inverse in the log ({@code
 * UndoLog}). A roll back carries out the inverses behind a savepoint, the newest first; a commit
 * forgets them, and gives away what only a roll back could have wanted.
 *
 * <p>A ledger has parts, each with one idea: which nodes there are ({@link
 * io.lighthouse.core.ledger.NodeTable}), what they have and what is left ({@link
 * io.lighthouse.core.ledger.NodeAccounts}), the resources with their scales ({@link
 * io.lighthouse.core.ledger.Columns}), domains ({@link io.lighthouse.core.ledger.Topology}), who is
 * where ({@link io.lighthouse.core.ledger.Placements}), members of groups ({@link
 * io.lighthouse.core.ledger.Members}), and changes of nodes ({@link
 * io.lighthouse.core.ledger.NodeChanges}). Who reads asks the part.
 *
 * <p>Nodes go by their slot ({@code Slots}), which they keep while others come and go. Nothing here
 * decides who goes where. One thread at a time.
 */
package io.lighthouse.core.ledger;
