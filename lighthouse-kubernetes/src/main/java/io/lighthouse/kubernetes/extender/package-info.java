/**
 * An extender of the stock scheduler, for clusters that keep it. Start at {@link
 * io.lighthouse.kubernetes.extender.KubernetesExtender}.
 */
package io.lighthouse.kubernetes.extender;
