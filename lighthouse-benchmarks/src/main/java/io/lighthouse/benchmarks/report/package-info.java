/**
 * Runs the benchmarks and tells the result.
 *
 * <p>{@link io.lighthouse.benchmarks.report.BenchmarkRun} asks the {@link
 * io.lighthouse.benchmarks.report.Suite} for the cases of the wanted parts, runs each in a JVM of
 * its own, and writes tables, a picture and the raw figures. A figure in a table is a median, with
 * the smallest and the largest beside it.
 */
package io.lighthouse.benchmarks.report;
