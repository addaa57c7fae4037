/**
 * Random fleets, workloads and mixed calls. {@link io.lighthouse.tests.generate.Dice} draws them
 * all, from a seed.
 *
 * <p>{@link io.lighthouse.tests.generate.Plain} draws nodes and workloads without domains, rules
 * and gangs. It draws tags, semaphores, wards, shortcomings, immunities and aversion groups.
 * Requirements may be below zero, quantities infinite or of up to twelve digits after the point.
 * Nodes may be cordoned or bring workloads, and names may lie beyond the basic plane.
 *
 * <p>{@link io.lighthouse.tests.generate.Scenarios} makes a fleet and a list of {@link
 * io.lighthouse.tests.generate.Sketch}es. The details of a sketched call are filled in from the
 * state that it meets, so a scenario stays sound when parts of it are left out. That is how {@link
 * io.lighthouse.tests.generate.Shrinking} makes drawn values smaller for jqwik.
 */
package io.lighthouse.tests.generate;
