/**
 * How a running service reports: its log, its metrics, its health and its end. Start at {@link
 * io.lighthouse.kubernetes.monitor.ClusterService}.
 */
package io.lighthouse.kubernetes.monitor;
