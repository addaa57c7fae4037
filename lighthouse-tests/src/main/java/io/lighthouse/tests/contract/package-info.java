/**
 * What the author of a strategy extends: {@link io.lighthouse.tests.contract.StrategyContract} has
 * one property for every law of {@link io.lighthouse.tests.referee.Law}.
 *
 * <p>A property takes a {@link io.lighthouse.tests.generate.Scenario}, plays it on a distributor
 * with the strategy, writes minutes of what was asked and answered, and compares: with the
 * referee's books, with a second distributor, with a copy, with another process. Where a law is
 * broken, jqwik shrinks the scenario, and the message holds the law, what was expected and found,
 * and the minutes of the smallest scenario.
 */
package io.lighthouse.tests.contract;
