/**
 * What the author of a strategy extends: {@link io.lighthouse.tests.contract.StrategyContract} has
 * properties for every law of {@link io.lighthouse.tests.referee.Law}.
 *
 * <p>A property plays a {@link io.lighthouse.tests.generate.Scenario} on a distributor with the
 * strategy and writes a record of the calls and answers. It compares them with the referee's books,
 * a second distributor, a copy or another process. Where a law is broken, jqwik shrinks the
 * scenario. The message holds the law, what was expected and found, and the record of the smallest
 * scenario.
 */
package io.lighthouse.tests.contract;
