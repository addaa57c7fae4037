/**
 * Exact quantities, the units in which they may be required, and inventories that compute them.
 *
 * <p>A {@link io.lighthouse.api.quantity.Quantity} is an amount, a weight, a price or a cost. A
 * {@link io.lighthouse.api.quantity.Unit} restricts the requirements of a resource. An {@link
 * io.lighthouse.api.quantity.Inventory} computes a capacity from a total, a reserved amount and an
 * allocation ratio. All three are immutable values, safe to share between threads.
 */
package io.lighthouse.api.quantity;
