/**
 * What a strategy sees and does: the fleet, its nodes and orders, the candidates of a turn, the
 * session of a batch; and {@link io.lighthouse.core.fleet.Engine}, which asks it, checks what it
 * answers and has the ledger commit it. One thread at a time.
 */
package io.lighthouse.core.fleet;
