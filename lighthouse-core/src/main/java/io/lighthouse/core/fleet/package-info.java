/**
 * What a strategy sees and does. This covers the fleet, its nodes and orders, the candidates of a
 * turn, and the session of a batch. {@link io.lighthouse.core.fleet.Engine} calls the strategy,
 * checks its choices and has the ledger commit them. One thread at a time.
 *
 * <p>The way of a batch through here: {@code TurnOrder} decides the order of the turns. At each
 * turn {@code CandidateView} passes the strategy's queries to the finder; the node that the
 * strategy returns is checked, and the ledger places. A strategy that places whole batches gets a
 * {@code SessionView} instead, whose moves go to the ledger one by one. {@code WholeBatch}
 * completes what the strategy left where its budget was over, and judges it. Whatever Lighthouse
 * itself throws inside a query is kept by {@link io.lighthouse.core.fleet.FleetView} and ends the
 * call, even if the strategy catches it.
 */
package io.lighthouse.core.fleet;
