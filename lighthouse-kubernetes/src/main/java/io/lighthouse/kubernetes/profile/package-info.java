/**
 * The cluster in memory that the profiles of the settings want, and what it is told of the real
 * one. Start with {@link io.lighthouse.kubernetes.profile.ProfiledCluster}.
 */
package io.lighthouse.kubernetes.profile;
