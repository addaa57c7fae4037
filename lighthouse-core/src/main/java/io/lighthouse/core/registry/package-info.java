/**
 * Strategies found, named, validated: on the module path, on the class path, and in directories of
 * plug-in jars. Start at {@link io.lighthouse.core.registry.StrategyRegistry}.
 */
package io.lighthouse.core.registry;
