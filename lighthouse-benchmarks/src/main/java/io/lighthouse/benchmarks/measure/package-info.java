/**
 * The benchmarks, for JMH, through the public API only. The results of a benchmark beside its time
 * go to the {@link io.lighthouse.benchmarks.measure.Outcome}.
 */
package io.lighthouse.benchmarks.measure;
