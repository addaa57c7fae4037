/**
 * The cluster in memory that the profiles of the settings want. Start with {@link
 * io.lighthouse.kubernetes.profile.ProfiledCluster}.
 */
package io.lighthouse.kubernetes.profile;
