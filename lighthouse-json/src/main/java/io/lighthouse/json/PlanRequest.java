package io.lighthouse.json;

import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;

/**
 * What a text asks of a plan. Immutable and thread-safe; nothing in it is null.
 *
 * @param goal what is to be reached
 * @param limits what the plan may do
 */
public record PlanRequest(PlanGoal goal, PlanLimits limits) {}
