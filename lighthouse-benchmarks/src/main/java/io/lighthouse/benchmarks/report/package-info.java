/**
 * The programs that measure, and the pages that they write.
 *
 * <p>{@link io.lighthouse.benchmarks.report.BenchmarkRun} runs the cases of the wanted parts, and
 * writes tables, a picture and the raw figures. A figure in a table is a median, with the smallest
 * and the largest beside it.
 */
package io.lighthouse.benchmarks.report;
