/**
 * The cluster in memory that the profiles of the settings want, and how it follows the real one.
 * Start with {@link io.lighthouse.kubernetes.profile.ProfiledCluster}.
 */
package io.lighthouse.kubernetes.profile;
