/**
 * How much a search may spend: {@link io.lighthouse.core.budget.StepBudget} counts the steps of one
 * question, plan or session, and defines what a step is. It knows nothing of Lighthouse.
 */
package io.lighthouse.core.budget;
