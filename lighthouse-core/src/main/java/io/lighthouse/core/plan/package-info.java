/**
 * Plans: moves that bring a fleet nearer to a goal, found on the live ledger and rolled back; and
 * bounds on what can be reached. A {@link io.lighthouse.core.plan.Planner} finds the changes for a
 * goal in a {@link io.lighthouse.core.plan.PlanSession}, which knows the limits and keeps the way
 * back.
 */
package io.lighthouse.core.plan;
