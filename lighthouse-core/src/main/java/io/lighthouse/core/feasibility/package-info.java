/**
 * Decides which nodes fit a workload: exactly ({@code Constraints}), fast ({@link
 * io.lighthouse.core.feasibility.Finder}), and why not ({@link
 * io.lighthouse.core.feasibility.Explainer}). Each rule about nodes is a {@code Constraint} in a
 * file of its own, and one line in {@code Constraints}. The package reads the ledger and never
 * changes it. It runs on one thread at a time.
 */
package io.lighthouse.core.feasibility;
