/**
 * The devices that drivers publish, the claims that pods have to them, and where a pod's claims let
 * it go. Start at {@link io.lighthouse.kubernetes.cluster.device.ClusterDevices}.
 */
package io.lighthouse.kubernetes.cluster.device;
