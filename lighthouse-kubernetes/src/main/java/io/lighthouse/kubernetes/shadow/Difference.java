package io.lighthouse.kubernetes.shadow;

import java.time.Instant;

/**
 * One decision on which the schedulers differ, or which could not be compared. Immutable.
 *
 * @param at when it was found
 * @param pod namespace and name of the pod
 * @param outcome how the decisions compare
 * @param there the node that the other scheduler chose; empty where the pod waits
 * @param ours the node that Lighthouse would have chosen; empty where it has none
 * @param by the filter, preference or strategy that decides; one of few texts
 * @param reason why, for people
 */
record Difference(
    Instant at,
    String pod,
    ComparisonOutcome outcome,
    String there,
    String ours,
    String by,
    String reason) {}
