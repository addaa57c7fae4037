/**
 * Objects of the API server, read: what of a node or a pod counts for a placement. Knows no engine.
 * Start at {@link io.lighthouse.kubernetes.cluster.object.PodFacts}.
 */
package io.lighthouse.kubernetes.cluster.object;
