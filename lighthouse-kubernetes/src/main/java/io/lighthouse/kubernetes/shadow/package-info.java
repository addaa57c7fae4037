/**
 * Follows a cluster that another scheduler schedules, and reports what Lighthouse would have
 * decided. Nothing is written. Start at {@link io.lighthouse.kubernetes.shadow.KubernetesShadow}:
 *
 * <ul>
 *   <li>{@link io.lighthouse.kubernetes.shadow.ClusterPair} holds the cluster as it is and as it
 *       would be.
 *   <li>{@link io.lighthouse.kubernetes.shadow.Comparisons} compares the decisions.
 *   <li>{@link io.lighthouse.kubernetes.shadow.ShadowFindings} keeps what was found, and {@link
 *       io.lighthouse.kubernetes.shadow.ShadowReport} is a copy of it to be printed.
 * </ul>
 */
package io.lighthouse.kubernetes.shadow;
