/**
 * Fleets that are kept between calls.
 *
 * <p>Start at {@link io.lighthouse.fleets.live.Fleets}: it opens the fleets of a store and takes
 * {@link io.lighthouse.fleets.Command}s for them. A command waits in the queue of its fleet for the
 * next turn. A turn takes the commands that wait and decides them one after the other on the
 * fleet's distributor. It writes their effects to the log as one group, and answers when the group
 * is durable. Commands that only read wait for a turn like the others, so that no answer reports
 * what is not durable.
 *
 * <p>Terms: an <em>effect</em> is what a command changed. An <em>entry</em> is an effect in the
 * log, with the caller's token and a hash that covers the hash of the entry before. The
 * <em>generation</em> of a fleet is the number of its newest entry. A <em>snapshot</em> is the
 * whole fleet after some entry. A fleet is recovered from its newest sound snapshot and the entries
 * after it, without a decision of any strategy.
 */
package io.lighthouse.fleets;
