/**
 * An independent judge of distributors. It shares no code with the engine. It keeps books of its
 * own in {@link java.math.BigDecimal}, without a running balance, and adds up everything from the
 * calls and their answers.
 *
 * <p>Start at {@link io.lighthouse.tests.referee.Referee}: give it the fleet, then every {@link
 * io.lighthouse.tests.referee.Call} with its answer, and snapshots in between. It returns {@link
 * io.lighthouse.tests.referee.Finding}s; each names the {@link io.lighthouse.tests.referee.Law}
 * that was broken, and none means that no law was.
 *
 * <p>Nothing here is safe for use by several threads at once.
 */
package io.lighthouse.tests.referee;
