/**
 * Scaled quantities: what nodes and domains have, and what is left of it.
 *
 * <p>Start at {@link io.lighthouse.core.account.NodeAccounts}. A {@link
 * io.lighthouse.core.account.ResourceTable} gives each resource an id and a scale. Nodes with the
 * same resources share a {@link io.lighthouse.core.account.Layout}. {@link
 * io.lighthouse.core.account.Needs} reads what workloads require into ids and scaled longs. {@link
 * io.lighthouse.core.account.Admission} rejects quantities that could not be kept exactly. The
 * domains of a level have accounts of the same kind.
 *
 * <p>This package knows neither placements nor groups. It is for one thread at a time.
 */
package io.lighthouse.core.account;
