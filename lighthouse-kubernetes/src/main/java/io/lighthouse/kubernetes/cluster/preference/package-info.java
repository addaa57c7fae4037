/**
 * What pods prefer without asking for it: nodes away from other pods of their Service or
 * controller, and nodes that have their images. Start at {@link
 * io.lighthouse.kubernetes.cluster.preference.PodOwners}. For one thread at a time.
 */
package io.lighthouse.kubernetes.cluster.preference;
