/**
 * A scheduler for Kubernetes.
 *
 * <p>{@link io.lighthouse.kubernetes.KubernetesImport} writes a cluster as a problem file. What the
 * scheduler knows of the cluster, and how it decides, is in {@code
 * io.lighthouse.kubernetes.cluster}.
 */
package io.lighthouse.kubernetes;
