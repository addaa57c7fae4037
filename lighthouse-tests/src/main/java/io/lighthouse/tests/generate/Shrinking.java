package io.lighthouse.tests.generate;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.ShrinkingDistance;

/**
 * A value drawn by {@link Dice} that jqwik shrinks: it leaves out one part after the other, as long
 * as the property still fails.
 *
 * @param <T> the type of the value
 */
public final class Shrinking<T> implements Shrinkable<T> {
  /** More than any value has parts. */
  private static final long START = 1 << 20;

  private final T value;
  private final Function<T, Stream<T>> simpler;
  private final long distance;

  private Shrinking(T value, Function<T, Stream<T>> simpler, long distance) {
    this.value = value;
    this.simpler = simpler;
    this.distance = distance;
  }

  /**
   * An arbitrary of drawn values.
   *
   * @param draw draws a value
   * @param simpler lists values that are simpler by one part each; none of them leads back
   * @param <T> their type
   * @return shrinks by {@code simpler}
   */
  public static <T> Arbitrary<T> of(Function<Dice, T> draw, Function<T, Stream<T>> simpler) {
    return Arbitraries.fromGenerator(
        random -> new Shrinking<>(draw.apply(new Dice(random.nextLong())), simpler, START));
  }

  @Override
  public T value() {
    return value;
  }

  @Override
  public Stream<Shrinkable<T>> shrink() {
    return simpler.apply(value).map(part -> new Shrinking<>(part, simpler, distance - 1));
  }

  @Override
  public ShrinkingDistance distance() {
    return ShrinkingDistance.of(distance);
  }

  // ---- parts ----

  /**
   * A list without one element.
   *
   * @param all the elements
   * @param least the fewest that remain
   * @param <E> their type
   * @return a list for each element that can be left out
   */
  public static <E> Stream<List<E>> without(List<E> all, int least) {
    return all.size() <= least ? Stream.empty() : each(all, at -> Stream.of(List.of()));
  }

  /** A list with one element that is simpler. */
  static <E> Stream<List<E>> simpler(List<E> all, Function<E, Stream<E>> simpler) {
    return each(all, at -> simpler.apply(all.get(at)).map(List::of));
  }

  /** Replaces the element at each index by the elements of some lists in turn. */
  private static <E> Stream<List<E>> each(List<E> all, IntFunction<Stream<List<E>>> instead) {
    return IntStream.range(0, all.size())
        .boxed()
        .flatMap(
            at ->
                instead
                    .apply(at)
                    .map(
                        elements -> {
                          List<E> changed = new ArrayList<>(all);
                          changed.remove((int) at);
                          changed.addAll(at, elements);
                          return changed;
                        }));
  }

  /** Without its workloads, without its cordon, its domains or units, with simpler resources. */
  static Stream<Node> simpler(Node node) {
    if (!node.workloads().isEmpty()) {
      return Stream.of(node.withWorkloads());
    }
    Stream<Node> less =
        Stream.of(
            with(node, node.resources(), false, node.domains(), node.units()),
            with(node, node.resources(), node.cordoned(), Map.of(), node.units()),
            with(node, node.resources(), node.cordoned(), node.domains(), Map.of()));
    return Stream.concat(
        less.filter(other -> !other.equals(node)),
        simpler(node.resources())
            .map(has -> with(node, has, node.cordoned(), node.domains(), unitsOf(node, has))));
  }

  private static Node with(
      Node node,
      Resources has,
      boolean cordoned,
      Map<String, String> domains,
      Map<String, Unit> units) {
    return new Node(node.name(), has, List.of(), cordoned, domains, units);
  }

  private static Map<String, Unit> unitsOf(Node node, Resources has) {
    Map<String, Unit> units = new HashMap<>(node.units());
    units.keySet().retainAll(has.names());
    return units;
  }

  /** Without immunities, groups or terms, with simpler requirements. */
  static Stream<Workload> simpler(Workload workload) {
    Stream<Workload> less =
        Stream.of(workload.withImmunities(), workload.withAversionGroups())
            .filter(other -> !other.equals(workload));
    Stream<Workload> needing =
        simpler(workload.requirements())
            .map(
                requirements ->
                    new Workload(
                        workload.name(),
                        requirements,
                        workload.immunities(),
                        workload.aversionGroups(),
                        workload.terms()));
    return Stream.of(less, simpler(workload.terms()).map(workload::withTerms), needing)
        .flatMap(each -> each);
  }

  /** None at all, without groups, or with one condition, rule or preference less. */
  private static Stream<Terms> simpler(Terms terms) {
    return Stream.of(
            Stream.of(Terms.NONE, terms.inGroups(Set.of())),
            without(terms.where(), 0).map(rest -> terms.where(rest.toArray(Condition[]::new))),
            without(terms.rules(), 0).map(rest -> terms.rules(rest.toArray(Rule[]::new))),
            without(terms.preferences(), 0)
                .map(rest -> terms.preferring(rest.toArray(Rule[]::new))))
        .flatMap(each -> each)
        .filter(other -> !other.equals(terms));
  }

  /** Without one of the names, or with 0 or 1 as its quantity. */
  private static Stream<Resources> simpler(Resources resources) {
    return resources.names().stream()
        .flatMap(
            name -> {
              Quantity quantity = resources.get(name).orElseThrow();
              Map<String, Quantity> rest = new LinkedHashMap<>(resources.asMap());
              rest.remove(name);
              return Stream.concat(
                  Stream.of(Resources.of(rest)),
                  Stream.of(Quantity.ZERO, Quantity.ONE)
                      .takeWhile(simple -> !simple.equals(quantity))
                      .map(simple -> resources.with(name, simple)));
            });
  }
}
