/**
 * The types that an author of a placement rule implements.
 *
 * <p>Implement {@link io.lighthouse.api.rule.PlacementRule} and register it with {@code provides}
 * in your module descriptor and in {@code META-INF/services} (auto-service writes the latter). A
 * problem uses it by name, as a hard rule or as a preference. Its {@link
 * io.lighthouse.api.rule.RuleCheck} returns a {@link io.lighthouse.api.rule.Judgement}, with an
 * excess of 0 if the rule is kept.
 */
package io.lighthouse.api.rule;
