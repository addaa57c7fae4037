/**
 * Plans: moves that bring a fleet nearer to a goal, found on the live ledger and rolled back. Start
 * at {@link io.lighthouse.core.plan.Planner}.
 *
 * <ol>
 *   <li>{@link io.lighthouse.core.plan.PlanSession} has the limits and the changes made so far, and
 *       takes them back.
 *   <li>{@link io.lighthouse.core.plan.GoalSearch} has a method for each goal. Single moves are in
 *       {@code PlanMoves}, {@code LoadMoves} and {@code RoomMoves}. {@code Ejections} makes room by
 *       moving others. {@code LoadExchanges} exchanges workloads of two nodes.
 *   <li>{@link io.lighthouse.core.plan.Waves} puts the changes into waves, by the room that they
 *       need ({@code WaveRoom}), by rules ({@code RuleOrder}) and by the members that rules count
 *       ({@code GroupWaves}).
 *   <li>{@link io.lighthouse.core.plan.PlanObstacles} explains what is not reached.
 * </ol>
 */
package io.lighthouse.core.plan;
