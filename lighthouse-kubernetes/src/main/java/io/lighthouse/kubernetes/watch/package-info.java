/**
 * Follows nodes, namespaces, pods and storage by lists and watches. Start at {@link
 * io.lighthouse.kubernetes.watch.ClusterFeed}.
 */
package io.lighthouse.kubernetes.watch;
