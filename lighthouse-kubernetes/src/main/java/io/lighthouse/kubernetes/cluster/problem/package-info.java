/**
 * A cluster as a problem of the problem format. Start at {@link
 * io.lighthouse.kubernetes.cluster.problem.ClusterProblem}.
 */
package io.lighthouse.kubernetes.cluster.problem;
