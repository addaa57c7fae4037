package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A machine, or anything else, that workloads are placed on: a unique name and its resources.
 *
 * <p>A quantity may be 0 (a tag), negative (a shortcoming), minus infinity (a ward) or plus
 * infinity (never used up). A node may bring along workloads that are placed on it already. Then
 * {@code resources} is what is left, and the capacity is that plus their requirements. Immutable
 * and thread-safe.
 *
 * @param name non-empty; unique among the nodes of a distributor
 * @param resources what is left on it
 * @param workloads those placed on it already, in order; their requirements name only resources
 *     that the node has
 * @param cordoned whether it refuses new workloads
 * @param domains the name of its domain by level, for each level at which it has one; in the order
 *     of levels
 * @param units the units in which its resources may be required; in the order of names
 */
public record Node(
    String name,
    Resources resources,
    List<Workload> workloads,
    boolean cordoned,
    Map<String, String> domains,
    Map<String, Unit> units) {

  /**
   * Checks and copies.
   *
   * @throws InvalidInputException if a name is empty or ill-formed, or a level is {@code node} or
   *     {@code fleet}. Also if the node lacks a resource that has a unit, or that a workload
   *     brought along requires
   */
  public Node {
    Names.require(name, "node", "name");
    Objects.requireNonNull(resources, "resources");
    workloads = List.copyOf(workloads);
    for (Workload workload : workloads) {
      for (String resource : workload.requirements().names()) {
        if (!resources.has(resource)) {
          throw new InvalidInputException(
              Thing.node(name),
              "workloads['" + workload.name() + "'].requirements." + resource,
              "a resource that the node does not have",
              resources.isEmpty()
                  ? "none: the node has no resources"
                  : "the node's own: " + String.join(", ", resources.names()));
        }
      }
    }
    domains = checked(name, domains);
    units = Domain.copyOf(units, resources, "node '" + name + "'");
  }

  /**
   * A node without domains.
   *
   * @param name non-empty; unique among the nodes of a distributor
   * @param resources what is left on it
   * @param workloads those placed on it already, in order
   * @param cordoned whether it refuses new workloads
   * @throws InvalidInputException if the name is empty or ill-formed, or a workload brought along
   *     requires a resource that the node does not have
   */
  public Node(String name, Resources resources, List<Workload> workloads, boolean cordoned) {
    this(name, resources, workloads, cordoned, Map.of(), Map.of());
  }

  private static Map<String, String> checked(String node, Map<String, String> domains) {
    domains.forEach(
        (level, domain) -> {
          String subject = "node '" + node + "'";
          Names.require(level, subject, "domains");
          Names.require(domain, subject, "domains." + level);
          if (level.equals(Rule.NODE) || level.equals(Rule.FLEET)) {
            throw new InvalidInputException(
                subject,
                "domains",
                "'" + level + "'",
                "a level but node and fleet, which all have");
          }
        });
    return SortedNames.copyOf(domains);
  }

  /**
   * An empty, open node.
   *
   * @param name its name
   * @param resources what it offers
   * @return the node
   * @throws InvalidInputException if the name is empty or ill-formed
   */
  public static Node of(String name, Resources resources) {
    return new Node(name, resources, List.of(), false);
  }

  /**
   * An empty, open node, its resources from a map.
   *
   * @param name its name
   * @param resources anything that {@link Quantity#of(Object)} takes, by resource
   * @return the node
   * @throws InvalidInputException if a name is empty or ill-formed or a quantity is none
   */
  public static Node of(String name, Map<String, ?> resources) {
    return of(name, Resources.of(resources));
  }

  /**
   * A node from a map, like pylighthouse's {@code from_dict}.
   *
   * @param map {@code name} (a text), {@code resources} (a map), and optionally {@code workloads}
   *     (maps as in {@link Workload#fromMap}) and {@code cordoned} (a boolean)
   * @return the node
   * @throws InvalidInputException if a key is missing, unknown or of another type, or as the
   *     constructor
   */
  public static Node fromMap(Map<String, ?> map) {
    MapReader reader =
        new MapReader("node", map, List.of("name", "resources", "workloads", "cordoned"));
    return new Node(
        reader.text("name"),
        reader.resources("resources"),
        Workload.fromList(reader.maps("workloads")),
        reader.flag("cordoned"));
  }

  /**
   * Nodes from maps, like pylighthouse's {@code from_list}.
   *
   * @param maps a map for each, as in {@link #fromMap}
   * @return the nodes, in the order given
   * @throws InvalidInputException as {@link #fromMap}
   */
  public static List<Node> fromList(List<? extends Map<String, ?>> maps) {
    return maps.stream().map(Node::fromMap).collect(Collectors.toUnmodifiableList());
  }

  /**
   * The same with these workloads on it instead of its own. What is left does not change.
   *
   * @param placed the workloads on it
   * @return a new node
   * @throws InvalidInputException as the constructor
   */
  public Node withWorkloads(Workload... placed) {
    return new Node(name, resources, List.of(placed), cordoned, domains, units);
  }

  /**
   * The same, cordoned: it refuses new workloads.
   *
   * @return a new node
   */
  public Node asCordoned() {
    return new Node(name, resources, workloads, true, domains, units);
  }

  /**
   * The same in a domain of a level.
   *
   * @param level the level, such as {@code rack}
   * @param domain the name of the domain
   * @return a new node
   * @throws InvalidInputException if a name is empty or ill-formed, or the level is node or fleet
   */
  public Node in(String level, String domain) {
    Map<String, String> all = new TreeMap<>(Names.order());
    all.putAll(domains);
    all.put(level, domain);
    return new Node(name, resources, workloads, cordoned, all, units);
  }

  /**
   * The same with units.
   *
   * @param wanted the units in which its resources may be required
   * @return a new node
   * @throws InvalidInputException if a unit names a resource that it does not have
   */
  public Node withUnits(Map<String, Unit> wanted) {
    return new Node(name, resources, workloads, cordoned, domains, wanted);
  }

  /** All components by name; domains and units only if there are any. */
  @Override
  public String toString() {
    return "Node[name="
        + name
        + ", resources="
        + resources
        + ", workloads="
        + workloads
        + ", cordoned="
        + cordoned
        + (domains.isEmpty() ? "" : ", domains=" + domains)
        + (units.isEmpty() ? "]" : ", units=" + units + "]");
  }
}
