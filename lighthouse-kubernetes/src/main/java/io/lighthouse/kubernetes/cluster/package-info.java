/**
 * The decision in memory: the cluster as a living fleet, and which pod goes where.
 *
 * <p>Start at {@link io.lighthouse.kubernetes.cluster.Cluster}. Objects of the API server come in
 * as JSON trees; {@link io.lighthouse.kubernetes.cluster.Decision}s come out. Nothing here knows a
 * network, a thread or a clock.
 */
package io.lighthouse.kubernetes.cluster;
