package io.lighthouse.core.question;

import io.lighthouse.api.Change;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The reasons against a workload on one node, sorted by what takes them away. */
final class Obstacles {
  /** Changes that open the node, or domains that it is in. */
  final List<Change> closed = new ArrayList<>();

  /** Resources below 0, on the node or in a domain of it. */
  final Set<String> negative = new HashSet<>();

  /** Resources that the node does not have, and of which nothing is required. */
  final Map<String, Quantity> tags = new TreeMap<>(Names.order());

  /** Resources that the node does not have: what is required. */
  final Map<String, Quantity> missing = new TreeMap<>(Names.order());

  /** By resource of the node: how much more it takes. */
  final Map<String, Quantity> lacking = new TreeMap<>(Names.order());

  /** By resource of the node that is short: what is left. */
  final Map<String, Quantity> left = new TreeMap<>(Names.order());

  /** By level and domain, the resources of which it takes more there, and how much. */
  final Map<List<String>, Map<String, Quantity>> inDomains = new LinkedHashMap<>();

  /** Whether a resource is below 0 without end. */
  boolean wards;

  /**
   * Whether there is a reason that no change of the node's amounts or of the workload takes away.
   */
  boolean others;

  /**
   * Broken rules of skew that may hold once the node is possible, so that its domain counts. More
   * domains that count never raise a floor above 0, so only those with floor 0 are among them.
   */
  int skewed;

  /** Whether the node is not possible for the workload, whatever is placed there. */
  private boolean impossible;

  /** Whether the workload requires an amount that is no multiple of the node's unit. */
  boolean offUnit;

  /** Whether a domain has too little of what the workload shares. */
  boolean shortInDomain;

  /** The conditions of the workload that do not hold, by their index. */
  final List<Integer> notSelected = new ArrayList<>();

  Obstacles(NodeVerdict verdict) {
    Sorter onNode =
        new Sorter(new Change.Uncordon(verdict.node()), lacking) {
          @Override
          public Void missing(Reason.Missing reason) {
            impossible = true;
            boolean tag = reason.required().signum() == 0;
            return tag ? put(tags, reason) : put(missing, reason);
          }

          @Override
          public Void insufficient(Reason.Insufficient reason) {
            left.put(reason.name(), reason.left());
            return super.insufficient(reason);
          }

          @Override
          public Void at(Reason.At reason) {
            shortInDomain |= reason.kind() == Reason.Kind.SHORT;
            Map<String, Quantity> there =
                inDomains.computeIfAbsent(
                    List.of(reason.at(), reason.domain()), any -> new TreeMap<>(Names.order()));
            reason
                .reason()
                .match(
                    new Sorter(
                        new Change.CordonDomain(reason.at(), reason.domain(), false), there));
            if (there.isEmpty()) {
              inDomains.remove(List.of(reason.at(), reason.domain()));
            }
            return null;
          }
        };
    verdict.reasons().forEach(reason -> reason.match(onNode));
    if (!impossible) {
      others |= skewed > 0;
      skewed = 0;
    }
  }

  /** Of a resource that the workload gives, 0 will do. */
  private static Void put(Map<String, Quantity> more, Reason.Missing reason) {
    Quantity required = reason.required();
    more.put(reason.name(), required.signum() < 0 ? Quantity.ZERO : required);
    return null;
  }

  /** The reasons of one node, or of one domain. */
  private class Sorter implements Reason.Cases<Void> {
    private final Change opening;
    private final Map<String, Quantity> more;

    Sorter(Change opening, Map<String, Quantity> more) {
      this.opening = opening;
      this.more = more;
    }

    @Override
    public Void cordoned(Reason.Cordoned reason) {
      impossible = true;
      closed.add(opening);
      return null;
    }

    @Override
    public Void missing(Reason.Missing reason) {
      impossible = true;
      return put(more, reason);
    }

    @Override
    public Void insufficient(Reason.Insufficient reason) {
      more.put(reason.name(), reason.lacking());
      return null;
    }

    @Override
    public Void negative(Reason.Negative reason) {
      negative.add(reason.name());
      wards |= reason.left().isInfinite();
      impossible |= reason.left().isInfinite();
      if (!reason.left().isInfinite()) {
        more.put(reason.name(), reason.lacking());
      }
      return null;
    }

    @Override
    public Void at(Reason.At reason) {
      return other();
    }

    @Override
    public Void noDomain(Reason.NoDomain reason) {
      return other();
    }

    @Override
    public Void offUnit(Reason.OffUnit reason) {
      impossible = true;
      offUnit = true;
      return other();
    }

    @Override
    public Void notSelected(Reason.NotSelected reason) {
      notSelected.add(reason.condition());
      return other();
    }

    @Override
    public Void crowded(Reason.Crowded reason) {
      return other();
    }

    @Override
    public Void alone(Reason.Alone reason) {
      return other();
    }

    @Override
    public Void skewed(Reason.Skewed reason) {
      if (reason.floor() > 0) {
        return other();
      }
      skewed++;
      return null;
    }

    @Override
    public Void byRule(Reason.ByRule reason) {
      return other();
    }

    @Override
    public Void worse(Reason.Worse reason) {
      return other();
    }

    @Override
    public Void declined(Reason.Declined reason) {
      return other();
    }

    @Override
    public Void averse(Reason.Averse reason) {
      return other();
    }

    @Override
    public Void later(Reason.Later reason) {
      return other();
    }

    private Void other() {
      others = true;
      return null;
    }
  }
}
