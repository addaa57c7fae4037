/**
 * Plans: moves that carry a fleet from here to there, found on the live ledger and taken back; and
 * bounds of what can be reached at all. A {@link io.lighthouse.core.plan.Planner} finds the changes
 * for a goal in a {@link io.lighthouse.core.plan.PlanSession}, which knows the limits and keeps the
 * way back.
 */
package io.lighthouse.core.plan;
