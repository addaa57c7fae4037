/**
 * How the scheduler works, and the file that says so. Start at {@link
 * io.lighthouse.kubernetes.config.SettingsFile}.
 */
package io.lighthouse.kubernetes.config;
