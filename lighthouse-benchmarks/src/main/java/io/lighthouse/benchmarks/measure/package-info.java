/**
 * The benchmarks, for JMH, through the public API only. What a benchmark finds out beside its time
 * goes to the {@link io.lighthouse.benchmarks.measure.Outcome}.
 */
package io.lighthouse.benchmarks.measure;
