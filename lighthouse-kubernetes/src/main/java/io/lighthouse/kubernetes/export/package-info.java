/** A cluster as a problem file. Start at {@link io.lighthouse.kubernetes.export.ClusterReader}. */
package io.lighthouse.kubernetes.export;
