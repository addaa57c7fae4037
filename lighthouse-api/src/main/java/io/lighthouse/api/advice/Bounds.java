package io.lighthouse.api.advice;

/**
 * Proven bounds of a batch on a fleet, for any strategy.
 *
 * @param mostPlaced no answer places more workloads of the batch, while placed workloads stay
 * @param fewestNodes no answer that places the whole batch leaves fewer nodes in use, including
 *     nodes in use now
 */
public record Bounds(int mostPlaced, int fewestNodes) {}
