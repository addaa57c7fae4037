package io.lighthouse.benchmarks.quality;

import io.lighthouse.benchmarks.problem.BenchmarkProblem;

/**
 * A problem, and what is known of it.
 *
 * @param name its name
 * @param problem the problem
 * @param optimum the fewest nodes that hold all of it; 0 where that is not known
 */
public record Instance(String name, BenchmarkProblem problem, int optimum) {}
