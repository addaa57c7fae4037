/**
 * Plans that free nodes, carried out by evictions. Start at {@link
 * io.lighthouse.kubernetes.plan.KubernetesPlan}.
 */
package io.lighthouse.kubernetes.plan;
