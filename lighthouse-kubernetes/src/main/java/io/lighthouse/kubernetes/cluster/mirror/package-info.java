/**
 * The cluster as a living fleet of the engine, kept in step with the objects. Start at {@link
 * io.lighthouse.kubernetes.cluster.mirror.MirroredFleet}.
 */
package io.lighthouse.kubernetes.cluster.mirror;
