/**
 * The decision in memory: which pod goes where, and why not. Objects of the API server come in as
 * JSON trees, {@link io.lighthouse.kubernetes.cluster.decide.Decision}s come out. Start at {@link
 * io.lighthouse.kubernetes.cluster.decide.Cluster}.
 */
package io.lighthouse.kubernetes.cluster.decide;
