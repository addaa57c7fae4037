/**
 * Shares of capacities in fixed point, and what all nodes have of each resource. Orders by load,
 * the order of a batch by size, plans and bounds use the same arithmetic. The package knows the
 * ledger alone.
 */
package io.lighthouse.core.share;
