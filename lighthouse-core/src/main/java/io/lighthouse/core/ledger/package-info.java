/** Exact accounts of every node, and the only code that changes them. */
package io.lighthouse.core.ledger;
