/** Problems to measure on: generated ones, the same on every run, and those read from files. */
package io.lighthouse.benchmarks.problem;
