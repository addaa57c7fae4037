/**
 * The exceptions of Lighthouse, by the party that must act.
 *
 * <ul>
 *   <li>The caller: {@link io.lighthouse.api.error.InvalidInputException}, and for one of several
 *       changes {@link io.lighthouse.api.InvalidChangeException}. Nothing has changed.
 *   <li>The author of a strategy: {@link io.lighthouse.api.error.StrategyException}. The author of
 *       a rule: {@link io.lighthouse.api.rule.RuleException}.
 *   <li>The maintainers of Lighthouse: {@link io.lighthouse.api.error.InternalErrorException}.
 * </ul>
 *
 * <p>The last three are {@link io.lighthouse.api.error.LighthouseException}s: the call was rolled
 * back. This package uses only the JDK.
 */
package io.lighthouse.api.error;
