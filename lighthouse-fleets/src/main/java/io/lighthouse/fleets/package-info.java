/**
 * Fleets that live on between calls.
 *
 * <p>Start at {@link io.lighthouse.fleets.Fleets}: it opens the fleets of a store and takes {@link
 * io.lighthouse.fleets.Command}s for them. A command waits in the queue of its fleet until its
 * turn; a turn takes all that wait, decides one after the other on the fleet's distributor, writes
 * what they did to the log as one group, and answers when the group is durable. Commands that only
 * read take their turn like the others, so that no answer speaks of what is not durable.
 *
 * <p>The words: an <em>effect</em> is what a command did; an <em>entry</em> is an effect in the
 * log, with who did it and the hash of the entry before; the <em>generation</em> of a fleet is the
 * number of its newest entry. A <em>snapshot</em> is the whole fleet after some entry. A fleet is
 * recovered from its newest sound snapshot and the entries behind it; no strategy is asked.
 */
package io.lighthouse.fleets;
