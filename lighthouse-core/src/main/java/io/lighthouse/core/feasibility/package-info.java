/**
 * Which nodes fit a workload: surely ({@link io.lighthouse.core.feasibility.Fit}), fast ({@link
 * io.lighthouse.core.feasibility.Finder}), and why not ({@link
 * io.lighthouse.core.feasibility.Explainer}). Reads the ledger, never changes it. One thread at a
 * time.
 */
package io.lighthouse.core.feasibility;
