/**
 * Generators of fleets, workloads and mixed calls, as jqwik arbitraries: they shrink.
 *
 * <p>{@link io.lighthouse.tests.generate.Nodes} and {@link io.lighthouse.tests.generate.Workloads}
 * make the nouns, with everything that the model knows: tags, semaphores, wards, shortcomings,
 * immunities, aversion groups, requirements below zero, infinite quantities, cordons, quantities of
 * up to twelve digits after the point, nodes that bring workloads, names beyond the basic plane.
 * {@link io.lighthouse.tests.generate.Scenarios} puts them into a fleet and a list of {@link
 * io.lighthouse.tests.generate.Sketch}es: calls whose details are filled in from the state that
 * they meet, so that a scenario stays sound while it shrinks.
 */
package io.lighthouse.tests.generate;
