/**
 * The fleets of a store, live. Start at {@link io.lighthouse.fleets.live.Fleets}, which has one
 * live fleet for each fleet of the store, with a queue of calls and one turn at a time.
 */
package io.lighthouse.fleets.live;
