package io.lighthouse.json;

import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Parses suppositions about a fleet from words that a person types.
 *
 * <pre>
 * add 3 x cpu=8,mem=32 in zone=a    Add nodes (number and domains are optional).
 * remove-node n1                    Remove a node; its workloads are to be placed on others.
 * resize n1 cpu=16                  Change these resources of a node.
 * cordon n2    uncordon zone=a      Let a node or a domain take no new workload, or again.
 * release w1                        Remove a workload.
 * move w1 n2                        Move a placed workload to another node.
 * scale web=40                      Change the number of replicas.
 * </pre>
 *
 * A name with a blank must be one element of the list of words. A place with an equals sign is a
 * domain, unless a node that is known has the name; in one text, such a node needs JSON.
 */
public final class SuppositionWords {
  /** What the words of each verb are. */
  private static final Map<String, String> FORMS = new LinkedHashMap<>();

  /** The name of the nodes that come, before the number. */
  public static final String NEW = "new";

  /** The most nodes that one change adds, and the most replicas that it asks for. */
  public static final int MOST = 9_999_999;

  static {
    FORMS.put("add", "add [N x] cpu=8,mem=32 [in zone=a,...]");
    FORMS.put("remove-node", "remove-node NODE");
    FORMS.put("resize", "resize NODE cpu=16,...");
    FORMS.put("cordon", "cordon NODE, or cordon LEVEL=DOMAIN");
    FORMS.put("uncordon", "uncordon NODE, or uncordon LEVEL=DOMAIN");
    FORMS.put("release", "release WORKLOAD");
    FORMS.put("move", "move WORKLOAD NODE");
    FORMS.put("scale", "scale WORKLOAD=REPLICAS");
  }

  private SuppositionWords() {}

  /**
   * The verbs.
   *
   * @return in the order of the help
   */
  public static List<String> verbs() {
    return List.copyOf(FORMS.keySet());
  }

  /**
   * Understands the words of a command line. Each change is one word with blanks in it ({@code
   * 'remove-node n1'}), or as many words as it has ({@code remove-node n1}).
   *
   * @param words the words, in order
   * @param nodes the names of the nodes, as far as they are known
   * @return what is supposed, in that order
   * @throws InvalidInputException if they make no sense; it names the change by its number, from 1,
   *     and the word
   */
  public static List<Supposition> parse(List<String> words, Set<String> nodes) {
    List<Supposition> supposed = new ArrayList<>();
    int at = 0;
    while (at < words.size()) {
      String first = words.get(at);
      int number = supposed.size() + 1;
      if (!FORMS.containsKey(first)) {
        supposed.add(one(number, Arrays.asList(first.strip().split("\\s+")), nodes));
        at++;
        continue;
      }
      int end = at + length(words, at);
      supposed.add(one(number, words.subList(at, Math.min(end, words.size())), nodes));
      at = end;
    }
    return supposed;
  }

  /**
   * Understands one change in one text, such as {@code add 3 x cpu=8}.
   *
   * @param number the number of the change, from 1, for messages
   * @param text the words
   * @return what is supposed
   * @throws InvalidInputException if the words make no sense
   */
  public static Supposition parse(int number, String text) {
    return one(number, Arrays.asList(text.strip().split("\\s+")), Set.of());
  }

  /**
   * A mistake that the answer to a what-if found in a change, with the name of the node that was
   * probably meant.
   *
   * @param wrong the mistake
   * @param problem the problem that the change is for
   * @return the same mistake; about a workload of the problem it is as it was
   */
  public static InvalidInputException hinted(InvalidInputException wrong, Problem problem) {
    if (wrong.thing().isPresent()) {
      return wrong;
    }
    List<String> nodes =
        wrong.field().equals("node")
            ? problem.nodes().stream().map(Node::name).toList()
            : List.of();
    String typed = Suggestion.unquoted(wrong.found());
    return new InvalidInputException(
        wrong.subject().replaceFirst(": distributor$", ""),
        wrong.field(),
        wrong.found(),
        wrong.allowed() + Suggestion.question(typed, nodes));
  }

  /** How many words the change has that begins here. */
  private static int length(List<String> words, int at) {
    return switch (words.get(at)) {
      case "add" -> {
        int length = at + 2 < words.size() && words.get(at + 2).equals("x") ? 4 : 2;
        boolean in = at + length < words.size() && words.get(at + length).equals("in");
        yield in ? length + 2 : length;
      }
      case "resize", "move" -> 3;
      default -> 2;
    };
  }

  private static Supposition one(int number, List<String> words, Set<String> nodes) {
    String verb = words.get(0);
    String form = FORMS.get(verb);
    if (form == null) {
      String verbs = String.join(", ", FORMS.keySet());
      throw wrong(number, "verb", verb, verbs + Suggestion.question(verb, FORMS.keySet()));
    }
    boolean add = verb.equals("add");
    int wanted = length(words, 0);
    if (words.size() != wanted) {
      boolean over = words.size() > wanted;
      String found = over ? "'" + words.get(wanted) + "', one word too many" : "missing a word";
      throw new InvalidInputException(
          "change " + number + " (" + verb + ")", "text", found, "as in: " + form);
    }
    try {
      return add ? add(number, words) : plain(number, verb, words, nodes);
    } catch (WrongWord wrong) {
      throw wrong;
    } catch (InvalidInputException wrong) {
      String shown = InvalidInputException.shortened(String.join(" ", words));
      throw new InvalidInputException(
          "change " + number + " (" + shown + ")", wrong.field(), wrong.found(), wrong.allowed());
    }
  }

  private static Supposition plain(int number, String verb, List<String> words, Set<String> nodes) {
    String name = words.get(1);
    int equals = name.lastIndexOf('=');
    return switch (verb) {
      case "remove-node" -> new Supposition.RemoveNode(name);
      case "resize" -> new Supposition.Resize(name, amounts(number, words.get(2)));
      case "cordon", "uncordon" ->
          new Supposition.Apply(cordon(verb.equals("cordon"), name, nodes));
      case "release" -> new Supposition.Release(name);
      case "move" -> new Supposition.Move(name, words.get(2));
      default -> {
        String replicas = name.substring(equals + 1);
        if (equals < 1 || !replicas.matches("[0-9]{1,7}")) {
          throw wrong(number, "replicas", name, "NAME=N, N a whole number from 0 to " + MOST);
        }
        yield new Supposition.Scale(name.substring(0, equals), Integer.parseInt(replicas));
      }
    };
  }

  private static Change cordon(boolean closed, String name, Set<String> nodes) {
    int equals = name.indexOf('=');
    if (equals > 0 && !nodes.contains(name)) {
      return new Change.CordonDomain(name.substring(0, equals), name.substring(equals + 1), closed);
    }
    return closed ? new Change.Cordon(name) : new Change.Uncordon(name);
  }

  private static Supposition add(int number, List<String> words) {
    Iterator<String> rest = words.subList(1, words.size()).iterator();
    int count = 1;
    if (words.size() > 3 && words.get(2).equals("x")) {
      String digits = rest.next();
      if (!digits.matches("[1-9][0-9]{0,6}")) {
        throw wrong(number, "number", digits, "a whole number from 1 to " + MOST);
      }
      count = Integer.parseInt(digits);
      rest.next();
    }
    Resources amounts = amounts(number, rest.next());
    Map<String, String> domains = Map.of();
    if (rest.hasNext()) {
      rest.next();
      String pairs = rest.next();
      try {
        domains = Pairs.of(pairs);
      } catch (InvalidInputException none) {
        throw wrong(number, "domain", pairs, "LEVEL=DOMAIN, each level once");
      }
    }
    return new Supposition.AddNodes(
        count, new Node(NEW, amounts, List.of(), false, domains, Map.of()));
  }

  /** Reads {@code cpu=8,mem=32}. */
  private static Resources amounts(int number, String text) {
    String allowed =
        text.matches("[0-9]+")
            ? InvalidInputException.shortened(text)
                + " x NAME=QUANTITY,... with an x behind the number"
            : "NAME=QUANTITY,... each name once";
    return amounts("resources.", text).orElseThrow(() -> wrong(number, "amounts", text, allowed));
  }

  /**
   * Reads amounts such as {@code cpu=8,mem=32}.
   *
   * @param path what stands before the name of a resource in the field of a mistake
   * @param text the text
   * @return the amounts; nothing where it is not of that form, or names a resource twice
   * @throws InvalidInputException if a quantity is none
   */
  static Optional<Resources> amounts(String path, String text) {
    Map<String, String> amounts;
    try {
      amounts = Pairs.of(text);
    } catch (InvalidInputException none) {
      return Optional.empty();
    }
    return Optional.of(Pairs.resources(path, amounts));
  }

  private static WrongWord wrong(int number, String field, String found, String allowed) {
    return new WrongWord("change " + number, field, "'" + found + "'", allowed);
  }

  /** A word of a change is wrong, and the message says which change. */
  private static final class WrongWord extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    WrongWord(String subject, String field, String found, String allowed) {
      super(subject, field, found, allowed);
    }
  }
}
