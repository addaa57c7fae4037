/**
 * Answers to questions about a fleet, found by trying things out: what if, what would have to
 * change, how many nodes. Each is asked of a distributor on which everything may be done, because
 * whoever calls takes all of it back. It knows the api and {@link
 * io.lighthouse.core.budget.StepBudget} alone. Start at {@link
 * io.lighthouse.core.answer.Supposing}.
 */
package io.lighthouse.core.answer;
