/**
 * Other people's placers on our problems, each set up as its own documentation advises for speed.
 * They take problems without rules. Only an adapter's {@code place} is timed, from the peer's own
 * objects to its answer.
 */
package io.lighthouse.benchmarks.peer;
