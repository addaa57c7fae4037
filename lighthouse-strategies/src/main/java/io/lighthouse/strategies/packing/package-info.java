/**
 * The search of {@code pack}: a board mirrors the batch and the fleet in flat arrays, fillings
 * place in one pass, ejections make room for what is left out, and {@link
 * io.lighthouse.strategies.packing.Packing} empties node after node while the steps last.
 */
package io.lighthouse.strategies.packing;
