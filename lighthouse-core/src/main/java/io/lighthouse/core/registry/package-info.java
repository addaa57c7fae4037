/**
 * Strategies found, named, validated: on the module path, on the class path, and in directories of
 * plug-in jars. Start at {@link io.lighthouse.core.registry.StrategyRegistry}.
 *
 * <p>A batch comes by here once, when its distributor is made: the strategy's name is looked up,
 * its settings are compared with those that it declares, and the engine asks it for a placer.
 */
package io.lighthouse.core.registry;
