/**
 * The engine: it calls a strategy for a node, checks the answer, and has the ledger place the
 * workload. Start at {@link io.lighthouse.core.engine.Engine}. A strategy that places whole batches
 * gets a {@link io.lighthouse.core.session.SessionView} instead.
 */
package io.lighthouse.core.engine;
