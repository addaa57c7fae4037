/**
 * The storage objects of the cluster, and where a pod's claims let it go. Start at {@link
 * io.lighthouse.kubernetes.cluster.volume.Volumes}.
 */
package io.lighthouse.kubernetes.cluster.volume;
