package io.lighthouse.json;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A problem as it was read, and where its parts stand in the text. Immutable and thread-safe. */
public final class ProblemDocument {
  private final Problem problem;

  /** In the order of names. */
  private final Set<String> flags;

  private final Layout layout;

  ProblemDocument(Problem problem, Set<String> flags, Layout layout) {
    this.problem = problem;
    this.flags = Collections.unmodifiableSet(flags);
    this.layout = layout;
  }

  /**
   * The problem.
   *
   * @return the problem
   */
  public Problem problem() {
    return problem;
  }

  /**
   * The flags, asked for with {@link ProblemReader#withFlags}, that the text says are true.
   *
   * @return their words; unmodifiable
   */
  public Set<String> flags() {
    return flags;
  }

  /**
   * The quantities that a ledger rounds: those with more than {@link Quantity#LEDGER_DIGITS} digits
   * after the point.
   *
   * @return first those of the nodes and of the workloads on them, then those of the workloads, in
   *     the order of the problem and of the resources' names; unmodifiable
   */
  public List<Rounding> roundings() {
    List<Rounding> roundings = new ArrayList<>();
    for (int i = 0; i < problem.nodes().size(); i++) {
      Node node = problem.nodes().get(i);
      for (String resource : finer(node.resources())) {
        roundings.add(
            rounding(
                layout.inNode(i, "resources", resource),
                node.resources(),
                resource,
                RoundingMode.FLOOR));
      }
      for (int j = 0; j < node.workloads().size(); j++) {
        Resources requirements = node.workloads().get(j).requirements();
        for (String resource : finer(requirements)) {
          Place place = layout.inPlaced(i, j, "requirements", resource);
          roundings.add(rounding(place, requirements, resource, RoundingMode.CEILING));
        }
      }
    }
    for (int i = 0; i < problem.workloads().size(); i++) {
      Resources requirements = problem.workloads().get(i).requirements();
      for (String resource : finer(requirements)) {
        Place place = layout.inWorkload(i, "requirements", resource);
        roundings.add(rounding(place, requirements, resource, RoundingMode.CEILING));
      }
    }
    return Collections.unmodifiableList(roundings);
  }

  /**
   * Finds the place of a mistake that a distributor found in this problem, such as a quantity out
   * of range. Cost: a walk over the names.
   *
   * @param mistake what a distributor, or one who makes it, threw
   * @return the same with its place; nothing where it is not about a node, a workload, the rubric
   *     or a setting of this problem
   */
  public Optional<Fault> locate(InvalidInputException mistake) {
    return place(mistake)
        .map(place -> new Fault(Fault.Kind.MEANING, place, mistake.found(), mistake.allowed()));
  }

  private Optional<Place> place(InvalidInputException mistake) {
    String subject = mistake.subject();
    String field = mistake.field();
    if (subject.equals("distributor") && field.equals("strategy")
        || subject.startsWith("strategy '") && field.equals("rubric")) {
      return Optional.of(Layout.atTop(field));
    }
    if (subject.equals("rubric") || subject.equals("settings")) {
      return Optional.of(Layout.atTop(subject, field.replaceAll("^'(.*)'$", "$1")));
    }
    // A mistake names its thing as in: node 'n1', workload 'w1'; and its field as: resources.cpu.
    int open = subject.indexOf('\'');
    if (open < 0 || !subject.endsWith("'")) {
      return Optional.empty();
    }
    String name = subject.substring(open + 1, subject.length() - 1);
    int point = field.indexOf('.');
    String[] steps =
        point < 0
            ? new String[] {field}
            : new String[] {field.substring(0, point), field.substring(point + 1)};
    return switch (subject.substring(0, open)) {
      case "node " -> placeInNode(name, steps);
      case "workload " -> placeInWorkload(name, steps);
      default -> Optional.empty();
    };
  }

  private Optional<Place> placeInNode(String name, String... steps) {
    for (int i = 0; i < problem.nodes().size(); i++) {
      if (problem.nodes().get(i).name().equals(name)) {
        return Optional.of(layout.inNode(i, steps));
      }
    }
    return Optional.empty();
  }

  private Optional<Place> placeInWorkload(String name, String... steps) {
    for (int i = 0; i < problem.workloads().size(); i++) {
      if (problem.workloads().get(i).name().equals(name)) {
        return Optional.of(layout.inWorkload(i, steps));
      }
    }
    for (int i = 0; i < problem.nodes().size(); i++) {
      List<Workload> placed = problem.nodes().get(i).workloads();
      for (int j = 0; j < placed.size(); j++) {
        if (placed.get(j).name().equals(name)) {
          return Optional.of(layout.inPlaced(i, j, steps));
        }
      }
    }
    return Optional.empty();
  }

  /** The names whose quantity is finer than a ledger's. */
  private static List<String> finer(Resources resources) {
    List<String> names = List.of();
    for (int i = 0; i < resources.size(); i++) {
      if (resources.quantity(i).scale() > Quantity.LEDGER_DIGITS) {
        names = names.isEmpty() ? new ArrayList<>() : names;
        names.add(resources.name(i));
      }
    }
    return names;
  }

  private static Rounding rounding(
      Place place, Resources resources, String name, RoundingMode mode) {
    Quantity given = resources.get(name).orElseThrow();
    return new Rounding(place, given, given.rounded(mode));
  }
}
