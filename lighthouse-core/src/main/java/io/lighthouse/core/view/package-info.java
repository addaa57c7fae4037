/**
 * What a strategy or a rule sees of a ledger: the fleet, its nodes, domains and amounts, and the
 * candidates of a turn. Start at {@link io.lighthouse.core.view.FleetView}.
 */
package io.lighthouse.core.view;
