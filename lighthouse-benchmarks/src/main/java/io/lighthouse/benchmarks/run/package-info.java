/**
 * What is measured, and how. The {@link io.lighthouse.benchmarks.run.Suite} has the cases of the
 * parts. JMH, the command line, the packings and other programs of the checkout run them, each in a
 * JVM of its own, and make {@link io.lighthouse.benchmarks.run.Results} of measurements.
 */
package io.lighthouse.benchmarks.run;
