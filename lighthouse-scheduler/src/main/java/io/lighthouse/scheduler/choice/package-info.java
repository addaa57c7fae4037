/**
 * Chooses the node of an entry of the queue. Not exported.
 *
 * <p>Start at {@link io.lighthouse.scheduler.choice.Chooser}. Scale's own choice counts job types
 * in a {@link io.lighthouse.scheduler.choice.FitIndex}, whose rows are those of a {@code Grid}. A
 * placement strategy chooses through {@code StrategyChooser}, in a distributor that {@code
 * PassFleet} keeps equal to the nodes of the pass. Nothing here knows of a pass, a port or the
 * queue. One thread.
 */
package io.lighthouse.scheduler.choice;
