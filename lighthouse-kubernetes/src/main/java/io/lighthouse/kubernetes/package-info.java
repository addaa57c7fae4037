/**
 * A scheduler for Kubernetes.
 *
 * <p>{@link io.lighthouse.kubernetes.KubernetesScheduler} runs beside a cluster and places the pods
 * that name it; {@link io.lighthouse.kubernetes.SettingsFile} reads how it works. {@link
 * io.lighthouse.kubernetes.ClusterReader} makes a {@link io.lighthouse.kubernetes.KubernetesImport}
 * of a cluster, for a problem file. What the scheduler knows of the cluster, and how it decides, is
 * in {@code io.lighthouse.kubernetes.cluster}; how it speaks to the server, in {@code
 * io.lighthouse.kubernetes.client}.
 */
package io.lighthouse.kubernetes;
