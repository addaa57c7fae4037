package io.lighthouse.json.write;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Terms, domains and rules of every kind, with the names and quantities that it is handed. */
record TermsArbitrary(Arbitrary<String> names, Arbitrary<Quantity> quantities) {

  Arbitrary<String> levels() {
    return names.filter(name -> !name.equals(Rule.NODE) && !name.equals(Rule.FLEET));
  }

  Arbitrary<Terms> terms() {
    Arbitrary<Map<String, Resources>> shared =
        Arbitraries.maps(
                levels(), Arbitraries.maps(names, quantities).ofMaxSize(2).map(Resources::of))
            .ofMaxSize(2);
    Arbitrary<Optional<Gang>> gang =
        Combinators.combine(names, names.optional()).as(TermsArbitrary::gang).optional();
    return Combinators.combine(
            shared,
            names.set().ofMaxSize(2),
            conditions().list().ofMaxSize(3),
            rules(false).list().ofMaxSize(3),
            rules(true).list().ofMaxSize(3),
            gang)
        .as(Terms::new)
        .injectNull(0.5)
        .map(terms -> terms == null ? Terms.NONE : terms);
  }

  /** All members of one name say the same. */
  private static Gang gang(String name, Optional<String> within) {
    return new Gang(
        name, name.length() % 2 == 0 ? Optional.of("level of " + name) : Optional.empty());
  }

  Arbitrary<Rule> rules(boolean soft) {
    Arbitrary<Integer> bounds = Arbitraries.integers().between(1, Integer.MAX_VALUE);
    Arbitrary<String> levels = Arbitraries.oneOf(names, Arbitraries.of("node", "fleet"));
    Arbitrary<Rule> counting =
        Combinators.combine(bounds, names, levels, bounds, Arbitraries.integers().between(0, 3))
            .as(
                (bound, group, level, more, kind) ->
                    switch (kind) {
                      case 0 -> new Rule.Most(bound - 1, group, level);
                      case 1 -> new Rule.Least(bound, group, level);
                      case 2 -> new Rule.Apart(group, level);
                      default -> new Rule.Skew(soft ? bound - 1 : bound, group, level, more);
                    });
    Arbitrary<Rule> named =
        Combinators.combine(names, Arbitraries.maps(names, names).ofMaxSize(2)).as(Rule.Named::new);
    Arbitrary<Rule> where = conditions().list().ofMaxSize(2).map(Rule.Where::new);
    return soft ? Arbitraries.oneOf(counting, named, where) : Arbitraries.oneOf(counting, named);
  }

  Arbitrary<Condition> conditions() {
    Arbitrary<Quantity> bounds =
        Arbitraries.oneOf(
            quantities, Arbitraries.of(Quantity.INFINITY, Quantity.NEGATIVE_INFINITY));
    Arbitrary<Condition> plain =
        Combinators.combine(
                names,
                names.set().ofMaxSize(3),
                bounds,
                bounds,
                Arbitraries.integers().between(0, 5))
            .as(
                (about, some, least, most, kind) ->
                    switch (kind) {
                      case 0 -> new Condition.In(about, some);
                      case 1 -> new Condition.NotIn(about, some);
                      case 2 -> new Condition.Somewhere(about);
                      case 3 -> new Condition.Nowhere(about);
                      case 4 -> new Condition.Lacks(about);
                      default -> new Condition.Has(about, least, most);
                    });
    Arbitrary<Condition> any =
        plain.list().ofMaxSize(2).list().ofMaxSize(2).map(Condition.Any::new);
    Arbitrary<Condition> deep = any.list().ofMaxSize(2).list().ofMaxSize(2).map(Condition.Any::new);
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(6, plain),
        net.jqwik.api.Tuple.of(2, any),
        net.jqwik.api.Tuple.of(1, deep));
  }

  Arbitrary<Unit> units() {
    Arbitrary<Quantity> positive =
        quantities.map(quantity -> quantity.signum() < 0 ? quantity.negated() : quantity);
    return Combinators.combine(positive, positive, positive)
        .as(
            (min, more, step) ->
                new Unit(min, more.signum() == 0 ? Quantity.INFINITY : min.plus(more), step));
  }

  Arbitrary<Domain> domains(Arbitrary<Resources> resources) {
    return Combinators.combine(
            levels(), names, resources, units().optional(), Arbitraries.of(true, false))
        .as(
            (level, name, has, unit, cordoned) ->
                new Domain(level, name, has, unitsOf(has, unit), cordoned));
  }

  static Map<String, Unit> unitsOf(Resources resources, Optional<Unit> unit) {
    return resources.isEmpty() || unit.isEmpty()
        ? Map.of()
        : Map.of(resources.name(resources.size() / 2), unit.get());
  }

  /** The first of every level and name. */
  static List<Domain> distinct(List<Domain> domains) {
    Map<List<String>, Domain> first = new java.util.LinkedHashMap<>();
    domains.forEach(domain -> first.putIfAbsent(List.of(domain.level(), domain.name()), domain));
    return List.copyOf(first.values());
  }
}
