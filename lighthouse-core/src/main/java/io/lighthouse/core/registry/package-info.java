/**
 * Strategies found, named, validated: on the module path, on the class path, and in directories of
 * plug-in jars. Start at {@link io.lighthouse.core.registry.StrategyRegistry}.
 *
 * <p>A batch uses this package once, when its distributor is made. The strategy's name is looked
 * up, its settings are compared with those that it declares, and the engine gets a placer from it.
 */
package io.lighthouse.core.registry;
