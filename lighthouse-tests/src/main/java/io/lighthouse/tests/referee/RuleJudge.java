package io.lighthouse.tests.referee;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.referee.Books.Entry;
import io.lighthouse.tests.referee.Books.Place;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** One kind of rule as the books judge it. */
interface RuleJudge {
  /** How far the rule is from being kept if the workload comes to a node. */
  long excess(Fit fit, Entry node);

  /** The reason if, as the hard rule of this index, it keeps the workload off a node. */
  default Optional<Reason> broken(Fit fit, Entry node, int index) {
    return Optional.empty();
  }

  /** Whether a node has a domain of the level that the rule, if hard, insists on. */
  default boolean hasDomain(Entry node) {
    return true;
  }

  /** Whether the rule applies to a workload when it stands at the top. */
  default boolean isFor(Workload workload) {
    return true;
  }

  /** The bound that a placed workload with this rule sets for others. */
  default Optional<AtMost> bound(Workload holder) {
    return Optional.empty();
  }

  /** The judge of a rule's kind. */
  static RuleJudge of(Rule rule) {
    return Kinds.JUDGES.apply(rule);
  }

  /** A judge for each kind of rule. */
  final class Kinds {
    private static final Cases<Rule, RuleJudge> JUDGES =
        Cases.<Rule, RuleJudge>of(Rule.class)
            .on(Rule.Most.class, AtMost::new)
            .on(Rule.Least.class, AtLeast::new)
            .on(Rule.Skew.class, Even::new)
            .on(Rule.Apart.class, NoOther::new)
            .on(
                Rule.Where.class,
                rule -> (fit, node) -> Conditions.allHold(rule.conditions(), node) ? 0 : 1)
            // A plug-in's rule is judged by its own contract.
            .on(Rule.Named.class, rule -> (fit, node) -> 0)
            .complete();

    private Kinds() {}
  }

  /** A rule that counts the members of a group in a node's domain. */
  interface Counting extends RuleJudge {
    Rule.OfGroup rule();

    /** How far the rule is from being kept in a domain; not above 0 where it is kept. */
    int over(Fit fit, Place place);

    /** The reason for an excess in a domain. */
    Reason reason(Fit fit, Place place, int excess, int index);

    default String group() {
      return rule().group();
    }

    default String level() {
      return rule().level();
    }

    default int members(Fit fit, Place place) {
      return fit.books().members(group(), place);
    }

    /** 1 for a workload that is a member itself, else 0. */
    default int own(Fit fit) {
      return Books.belongs(fit.workload(), group()) ? 1 : 0;
    }

    default Optional<Place> place(Entry node) {
      return node.at(level()).map(domain -> new Place(level(), domain));
    }

    @Override
    default long excess(Fit fit, Entry node) {
      return place(node)
          .map(place -> (long) Math.max(0, over(fit, place)))
          .orElse(hasDomain(node) ? 0 : Long.MAX_VALUE);
    }

    @Override
    default Optional<Reason> broken(Fit fit, Entry node, int index) {
      if (!hasDomain(node)) {
        return Optional.of(new Reason.NoDomain(level(), index));
      }
      int excess = (int) excess(fit, node);
      return place(node).filter(some -> excess > 0).map(at -> reason(fit, at, excess, index));
    }

    @Override
    default boolean hasDomain(Entry node) {
      return place(node).isPresent();
    }

    @Override
    default boolean isFor(Workload workload) {
      return Books.belongs(workload, group());
    }
  }

  /** {@link Rule.Most}; where a node has no domain of its level, it does not apply. */
  record AtMost(Rule.Most rule) implements Counting {
    @Override
    public int over(Fit fit, Place place) {
      return members(fit, place) + own(fit) - rule.most();
    }

    @Override
    public Reason reason(Fit fit, Place place, int excess, int index) {
      return crowded(fit, place, excess, index, Optional.empty());
    }

    private Reason.Crowded crowded(
        Fit fit, Place place, int excess, int index, Optional<String> holder) {
      int members = members(fit, place);
      return new Reason.Crowded(
          group(), level(), place.domain(), members, rule.most(), excess, index, holder);
    }

    /** The reason if the rule of a holder keeps a member off another node of its domain. */
    Optional<Reason.Crowded> heldBy(Workload holder, Entry at, Fit fit, Entry node) {
      return place(node)
          .filter(place -> place.holds(at) && own(fit) == 1 && over(fit, place) > 0)
          .map(place -> crowded(fit, place, over(fit, place), -1, Optional.of(holder.name())));
    }

    @Override
    public boolean hasDomain(Entry node) {
      return true;
    }

    @Override
    public Optional<AtMost> bound(Workload holder) {
      return Optional.of(this);
    }
  }

  /** {@link Rule.Apart}; where a node has no domain of its level, it does not apply. */
  record NoOther(Rule.Apart rule) implements Counting {
    @Override
    public int over(Fit fit, Place place) {
      return members(fit, place);
    }

    @Override
    public Reason reason(Fit fit, Place place, int excess, int index) {
      int members = members(fit, place);
      return new Reason.Crowded(
          group(), level(), place.domain(), members, own(fit), excess, index, Optional.empty());
    }

    @Override
    public boolean hasDomain(Entry node) {
      return true;
    }

    @Override
    public Optional<AtMost> bound(Workload holder) {
      int most = Books.belongs(holder, group()) ? 1 : 0;
      return Optional.of(new AtMost(new Rule.Most(most, group(), level())));
    }
  }

  /** {@link Rule.Least}. */
  record AtLeast(Rule.Least rule) implements Counting {
    @Override
    public int over(Fit fit, Place place) {
      return wanted(fit) - members(fit, place);
    }

    /** A member needs no more of its group than there are. */
    private int wanted(Fit fit) {
      return own(fit) == 0 ? rule.least() : Math.min(rule.least(), members(fit, Place.FLEET));
    }

    @Override
    public Reason reason(Fit fit, Place place, int excess, int index) {
      return new Reason.Alone(
          group(), level(), place.domain(), members(fit, place), wanted(fit), excess, index);
    }
  }

  /** {@link Rule.Skew}. */
  record Even(Rule.Skew rule) implements Counting {
    @Override
    public int over(Fit fit, Place place) {
      return members(fit, place) + own(fit) - floor(fit) - rule.skew();
    }

    /** The fewest members in a domain that has a possible node; 0 where too few are selected. */
    private int floor(Fit fit) {
      Set<Place> selected = new HashSet<>();
      int floor = Integer.MAX_VALUE;
      for (Entry node : fit.books().entries) {
        if (hasDomain(node) && fit.isSelected(node)) {
          Place place = place(node).orElseThrow();
          selected.add(place);
          floor = fit.isPossible(node) ? Math.min(floor, members(fit, place)) : floor;
        }
      }
      return selected.size() < rule.minDomains() || floor == Integer.MAX_VALUE ? 0 : floor;
    }

    @Override
    public Reason reason(Fit fit, Place place, int excess, int index) {
      return new Reason.Skewed(
          group(),
          level(),
          place.domain(),
          members(fit, place),
          floor(fit),
          rule.skew(),
          excess,
          index);
    }
  }
}
