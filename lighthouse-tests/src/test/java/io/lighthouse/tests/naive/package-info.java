/**
 * A second engine, as naive as the page that it is written from: one map of decimals a node, every
 * question answered by looking at every node. It is the oracle for the strategies that come with
 * Lighthouse, and, with a {@link io.lighthouse.tests.naive.Fault} planted, the wrong ledger that
 * the laws have to catch. It shares no code with core.
 */
package io.lighthouse.tests.naive;
