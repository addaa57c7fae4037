/**
 * The search of {@code pack}. A board mirrors the batch and the fleet in flat arrays. Fillings
 * place workloads in one pass, those of a large board in parts. Ejections make room for the
 * remaining ones. {@link io.lighthouse.strategies.packing.Packing} then empties node after node
 * until the steps are spent.
 */
package io.lighthouse.strategies.packing;
