/**
 * The nouns of the scheduling manager, shared by the engine, its ports and their adapters.
 *
 * <p>Work that waits is a {@link io.lighthouse.scheduler.model.PendingExecution}; once the store
 * has committed it to a node it is a {@link io.lighthouse.scheduler.model.RunningExecution}, which
 * runs its {@link io.lighthouse.scheduler.model.Task}s one at a time. A node lends resources as
 * {@link io.lighthouse.scheduler.model.ResourceOffer}s. Vectors of resources are the {@link
 * io.lighthouse.api.Resources} of the api; their arithmetic is {@link
 * io.lighthouse.scheduler.model.ResourceVectors}.
 *
 * <p>Identities are texts, ordered by {@link io.lighthouse.api.Names#order()}. A <em>node</em> is a
 * host for good; an <em>agent</em> is the session under which it is connected now, and changes when
 * the node reconnects. All values are immutable; {@link
 * io.lighthouse.scheduler.model.RunningExecution} and {@link
 * io.lighthouse.scheduler.model.DeviceLedger} are thread-safe.
 */
package io.lighthouse.scheduler.model;
