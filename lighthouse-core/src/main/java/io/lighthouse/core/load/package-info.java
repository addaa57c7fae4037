/**
 * The best node by the shares of it that are in use, as {@code spread} and {@code balance} want it:
 * a k-d tree over the nodes that follows the ledger. Start at {@link
 * io.lighthouse.core.load.LoadIndex}.
 */
package io.lighthouse.core.load;
