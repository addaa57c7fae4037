/**
 * The scheduler: one loop decides, a binder binds, a reporter writes conditions and events. Start
 * at {@link io.lighthouse.kubernetes.schedule.KubernetesScheduler}.
 */
package io.lighthouse.kubernetes.schedule;
