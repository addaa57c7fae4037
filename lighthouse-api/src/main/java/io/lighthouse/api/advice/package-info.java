/**
 * Questions about a fleet that need a search, and their answers.
 *
 * <p>{@link io.lighthouse.api.advice.Advisor} answers them. {@link
 * io.lighthouse.api.Distributor#advisor} returns the advisor of a distributor.
 *
 * <ul>
 *   <li>{@link io.lighthouse.api.advice.Choice}: why this node and not another.
 *   <li>{@link io.lighthouse.api.advice.WhatIf}: a fleet under some {@link
 *       io.lighthouse.api.advice.Supposition}s, beside the present one.
 *   <li>{@link io.lighthouse.api.advice.Remedies} and {@link io.lighthouse.api.advice.Shortage}:
 *       what would make refused workloads fit.
 *   <li>{@link io.lighthouse.api.advice.Sizing}: which {@link io.lighthouse.api.advice.Offer}s of
 *       nodes to add.
 *   <li>{@link io.lighthouse.api.advice.Headroom}: how much more of a mix fits.
 *   <li>{@link io.lighthouse.api.advice.Bounds}: what is proven of a batch for any strategy.
 *   <li>{@link io.lighthouse.api.advice.Plan}: moves that bring a fleet towards a {@link
 *       io.lighthouse.api.advice.PlanGoal} within {@link io.lighthouse.api.advice.PlanLimits}.
 * </ul>
 *
 * <p>All types except the advisor are immutable values, safe to share between threads. This package
 * uses {@link io.lighthouse.api}. Only the return type of {@code Distributor.advisor} points the
 * other way.
 */
package io.lighthouse.api.advice;
