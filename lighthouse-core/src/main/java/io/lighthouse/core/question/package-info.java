/**
 * Answers to questions about a fleet, found by trying things out: what if, what would have to
 * change, how many nodes. Each question gets a distributor on which every change is allowed,
 * because the caller takes all changes back. The package knows the api and {@link
 * io.lighthouse.core.budget.StepBudget} alone. Start at {@link
 * io.lighthouse.core.question.WhatIfTrial}.
 */
package io.lighthouse.core.question;
