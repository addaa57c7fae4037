/**
 * What a strategy sees and does: the fleet, its nodes and orders, the candidates of a turn, the
 * session of a batch; and {@link io.lighthouse.core.fleet.Engine}, which asks it, checks what it
 * answers and has the ledger commit it. One thread at a time.
 *
 * <p>The way of a batch through here: {@code TurnOrder} says whose turn comes when. At each turn
 * {@code CandidateView} puts the strategy's questions to the finder; the node that it answers is
 * checked, and the ledger places. A strategy that places whole batches gets a {@code SessionView}
 * instead, whose moves go to the ledger one by one; {@code WholeBatch} completes what it left where
 * its budget was over, and judges it. Whatever Lighthouse itself throws inside a question is kept
 * by {@link io.lighthouse.core.fleet.FleetView} and ends the call, whatever the strategy makes of
 * it.
 */
package io.lighthouse.core.fleet;
