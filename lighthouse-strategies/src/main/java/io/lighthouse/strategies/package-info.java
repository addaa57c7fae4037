/**
 * The strategies that come with Lighthouse: the three of pylighthouse, {@code spread}, {@code
 * balance}, {@code devices}, and {@code pack}, whose search is in {@code packing}.
 */
package io.lighthouse.strategies;
