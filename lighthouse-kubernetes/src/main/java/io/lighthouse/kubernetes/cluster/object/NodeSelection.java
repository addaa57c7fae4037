package io.lighthouse.kubernetes.cluster.object;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * Which nodes a pod selects: {@code nodeSelector} and, where there are {@code terms}, one of them.
 *
 * @param selector the labels of {@code nodeSelector}
 * @param affine whether there is a required node affinity; one without terms matches nothing
 * @param terms the terms of the required node affinity
 */
public record NodeSelection(
    List<LabelRequirement> selector, boolean affine, List<NodeSelection.Term> terms) {
  public static final NodeSelection ALL = new NodeSelection(List.of(), false, List.of());

  /**
   * A term: all requirements on labels hold, and the name of the node is right. An empty one
   * matches nothing.
   *
   * @param labels the requirements on labels
   * @param names the requirements on {@code metadata.name}
   */
  record Term(List<LabelRequirement> labels, List<LabelRequirement> names) {
    static Term of(JsonNode term, String field) {
      ObjectFields.requireKnown(term, field, "matchExpressions", "matchFields");
      List<LabelRequirement> labels =
          LabelRequirement.ofAll(term.path("matchExpressions"), field, true);
      List<LabelRequirement> names = LabelRequirement.ofAll(term.path("matchFields"), field, false);
      for (LabelRequirement name : names) {
        boolean known =
            name.key().equals("metadata.name")
                && name.operator().compareTo(LabelRequirement.Operator.NOT_IN) <= 0;
        if (!known) {
          throw new UnsupportedFieldException("matchFields of " + name.key());
        }
      }
      return new Term(labels, names);
    }

    public boolean matches(NodeFacts node) {
      if (labels.isEmpty() && names.isEmpty()
          || !LabelRequirement.allMatch(labels, node.labels())) {
        return false;
      }
      for (LabelRequirement requirement : names) {
        if (!requirement.matches(node.name())) {
          return false;
        }
      }
      return true;
    }
  }

  /** Reads a pod's {@code spec}. */
  static NodeSelection of(JsonNode spec) {
    List<LabelRequirement> selector =
        LabelRequirement.ofLabels(ObjectFields.labels(spec.path("nodeSelector")));
    JsonNode affinity = spec.path("affinity").path("nodeAffinity");
    JsonNode required = affinity.path("requiredDuringSchedulingIgnoredDuringExecution");
    if (!required.isObject()) {
      return selector.isEmpty() ? ALL : new NodeSelection(selector, false, List.of());
    }
    return new NodeSelection(selector, true, terms(required, "nodeAffinity"));
  }

  /**
   * Reads a node selector.
   *
   * @param field what it is called, for messages
   * @throws UnsupportedFieldException if a term is not supported
   */
  public static NodeSelection ofTerms(JsonNode nodeSelector, String field) {
    return new NodeSelection(List.of(), true, terms(nodeSelector, field));
  }

  private static List<Term> terms(JsonNode nodeSelector, String field) {
    ObjectFields.requireKnown(nodeSelector, field, "nodeSelectorTerms");
    List<Term> terms = new ArrayList<>();
    for (JsonNode term : nodeSelector.path("nodeSelectorTerms")) {
      terms.add(Term.of(term, field));
    }
    return terms;
  }

  public boolean matches(NodeFacts node) {
    return LabelRequirement.allMatch(selector, node.labels())
        && (!affine || terms.stream().anyMatch(term -> term.matches(node)));
  }

  /**
   * The names that the stock scheduler looks at alone: where every term is bound to names.
   *
   * @return the names, in order, or nothing where all nodes are looked at
   */
  public Optional<Set<String>> names() {
    if (!affine || terms.isEmpty()) {
      return Optional.empty();
    }
    Set<String> all = new TreeSet<>();
    for (Term term : terms) {
      Set<String> of = null;
      for (LabelRequirement name : term.names()) {
        if (name.operator() == LabelRequirement.Operator.IN) {
          if (of == null) {
            of = new TreeSet<>(name.values());
          } else {
            of.retainAll(name.values());
          }
        }
      }
      if (of == null) {
        return Optional.empty();
      }
      all.addAll(of);
    }
    return Optional.of(all);
  }

  /**
   * One way to be selected: some values of a label, or any node where the label is empty.
   *
   * @param label the label
   * @param values its values, of which the node has one
   */
  public record Choice(String label, List<String> values) {}

  /**
   * Each node that is selected has one of these values; other nodes may have one, too.
   *
   * @return a choice for each term; none where nothing is selected
   */
  public List<Choice> choices() {
    if (!affine || terms.isEmpty()) {
      return affine ? List.of() : List.of(choice(selector));
    }
    return terms.stream().map(term -> choice(term.labels())).distinct().toList();
  }

  private static Choice choice(List<LabelRequirement> requirements) {
    for (LabelRequirement requirement : requirements) {
      if (requirement.operator() == LabelRequirement.Operator.IN) {
        return new Choice(requirement.key(), requirement.values());
      }
    }
    return new Choice("", List.of());
  }

  /**
   * The same in the words of the engine.
   *
   * @param values the values that a label has on the nodes that there are
   */
  public List<Condition> conditions(Function<String, Collection<String>> values) {
    List<Condition> conditions = new ArrayList<>();
    for (LabelRequirement requirement : selector) {
      conditions.add(condition(requirement, values));
    }
    if (affine) {
      List<List<Condition>> lists = new ArrayList<>();
      for (Term term : terms) {
        List<Condition> list = conditions(term, values);
        if (!list.isEmpty()) {
          lists.add(list);
        }
      }
      if (lists.size() == 1) {
        conditions.addAll(lists.get(0));
      } else {
        conditions.add(new Condition.Any(lists));
      }
    }
    return conditions;
  }

  /** The conditions of a term; none where it is empty, and so matches nothing. */
  public static List<Condition> conditions(Term term, Function<String, Collection<String>> values) {
    List<Condition> list = new ArrayList<>();
    for (LabelRequirement requirement : term.labels()) {
      list.add(condition(requirement, values));
    }
    for (LabelRequirement name : term.names()) {
      Set<String> names = Set.copyOf(name.values());
      list.add(
          name.operator() == LabelRequirement.Operator.IN
              ? new Condition.In(Rule.NODE, names)
              : new Condition.NotIn(Rule.NODE, names));
    }
    return list;
  }

  private static Condition condition(
      LabelRequirement requirement, Function<String, Collection<String>> values) {
    String level = LabelLevels.level(requirement.key());
    Set<String> names = new TreeSet<>();
    for (String value : requirement.values()) {
      names.add(LabelLevels.domain(value));
    }
    return switch (requirement.operator()) {
      case IN -> new Condition.In(level, names);
      case NOT_IN -> new Condition.NotIn(level, names);
      case EXISTS -> new Condition.Somewhere(level);
      case DOES_NOT_EXIST -> new Condition.Nowhere(level);
      case GT, LT -> {
        Set<String> right = new TreeSet<>();
        for (String value : values.apply(requirement.key())) {
          if (requirement.matches(value)) {
            right.add(LabelLevels.domain(value));
          }
        }
        yield new Condition.In(level, right);
      }
    };
  }
}
