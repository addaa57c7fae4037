/**
 * Sessions of strategies that place whole batches. Each move of a {@link
 * io.lighthouse.core.session.SessionView} goes to the ledger; a {@link
 * io.lighthouse.core.session.BatchSettlement} completes and judges what the strategy leaves behind.
 */
package io.lighthouse.core.session;
