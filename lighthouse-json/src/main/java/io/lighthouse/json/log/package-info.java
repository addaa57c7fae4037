/**
 * What is written to be read again later: the effects in a fleet's log, and records of decisions.
 * Start at {@link io.lighthouse.json.log.Effect} and {@link io.lighthouse.json.log.DecisionRecord}.
 */
package io.lighthouse.json.log;
