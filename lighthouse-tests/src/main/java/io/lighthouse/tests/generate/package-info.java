/**
 * Generators of fleets, workloads and mixed calls.
 *
 * <p>{@link io.lighthouse.tests.generate.Nodes} and {@link io.lighthouse.tests.generate.Workloads}
 * make nodes and workloads. They include:
 *
 * <ul>
 *   <li>tags, semaphores, wards, shortcomings, immunities and aversion groups;
 *   <li>requirements below zero, infinite quantities, up to twelve digits after the point;
 *   <li>cordons, nodes that bring workloads, names beyond the basic plane.
 * </ul>
 *
 * <p>{@link io.lighthouse.tests.generate.Scenarios} makes a fleet and a list of {@link
 * io.lighthouse.tests.generate.Sketch}es. The details of a sketched call are filled in from the
 * state that it meets, so a scenario stays sound while it shrinks.
 *
 * <p>{@link io.lighthouse.tests.generate.Dice} makes scenarios with domains, rules, preferences and
 * gangs from seeds. They do not shrink; a seed repeats one.
 */
package io.lighthouse.tests.generate;
