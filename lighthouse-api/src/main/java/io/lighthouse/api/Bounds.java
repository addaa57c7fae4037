package io.lighthouse.api;

/**
 * What is proven of a batch on a fleet, whatever the strategy.
 *
 * @param mostPlaced no answer places more of the batch, as long as nothing is taken away
 * @param fewestNodes no answer that places all of the batch leaves fewer nodes in use; those that
 *     hold somebody now count
 */
public record Bounds(int mostPlaced, int fewestNodes) {}
