package io.lighthouse.json;

import io.lighthouse.api.quantity.Quantity;

/**
 * A quantity with more digits after the point than a ledger works with. Immutable and thread-safe.
 *
 * @param place where it stands
 * @param given what the problem says
 * @param used what a ledger works with: a requirement is rounded up, a node's quantity down
 */
public record Rounding(Place place, Quantity given, Quantity used) {}
