/**
 * Bounds on what any placement can reach, of a plan and of a batch. Start at {@link
 * io.lighthouse.core.bound.LowerBounds}. They read the ledger, and change nothing.
 */
package io.lighthouse.core.bound;
