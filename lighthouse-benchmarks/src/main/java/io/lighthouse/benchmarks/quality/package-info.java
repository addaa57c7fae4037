/**
 * The quality of placements: instances with their known bounds, the contenders that place them,
 * their budgets, and their results.
 */
package io.lighthouse.benchmarks.quality;
