/**
 * Which nodes fit a workload: surely ({@code Constraints}), fast ({@link
 * io.lighthouse.core.feasibility.Finder}), and why not ({@link
 * io.lighthouse.core.feasibility.Explainer}). Each rule about nodes is a {@code Constraint} in a
 * file of its own, and one line in {@code Constraints}. Reads the ledger, never changes it. One
 * thread at a time.
 */
package io.lighthouse.core.feasibility;
