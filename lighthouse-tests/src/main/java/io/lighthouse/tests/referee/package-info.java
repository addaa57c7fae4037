/**
 * An independent judge of distributors. It shares no code with the engine: it keeps books of its
 * own in {@link java.math.BigDecimal}, never a running balance, and re-adds everything from what
 * was asked and what was answered.
 *
 * <p>Start at {@link io.lighthouse.tests.referee.Referee}: tell it the nodes, then every {@link
 * io.lighthouse.tests.referee.Call} with its answer, and now and then a snapshot. It answers with a
 * list of {@link io.lighthouse.tests.referee.Finding}s, each of which names the {@link
 * io.lighthouse.tests.referee.Law} that was broken; an empty list means that all is well. {@link
 * io.lighthouse.tests.referee.LawfulAnswers} is a second opinion for tiny cases: it tries every
 * answer there is.
 *
 * <p>Nothing here is safe for use by several threads at once.
 */
package io.lighthouse.tests.referee;
