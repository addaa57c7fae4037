package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.device.DeviceExpression.Subject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes a device, and random expressions about it. It computes the value of an expression by rules
 * of its own while it writes it.
 */
final class RandomExpressions implements Subject {
  /** What an expression does that a parser or an evaluator may get wrong. */
  enum Case {
    TRUE,
    FALSE,
    ERROR,
    NO_BOOLEAN,
    AND_IGNORES_AN_ERROR,
    OR_IGNORES_AN_ERROR,
    AND_FAILS,
    OR_FAILS,
    UNUSED_BRANCH_FAILS,
    DIFFERENT_TYPES_COMPARED,
    DIFFERENT_TYPES_ORDERED,
    VERSIONS_COMPARED,
    QUANTITIES_COMPARED,
    NAME_IS_UNKNOWN,
    NEEDED_PARENTHESES,
    OTHER_PARENTHESES
  }

  /** A rule of the oracle that is wrong. */
  enum Fault {
    NONE,
    AND_STOPS_AT_AN_ERROR,
    OR_STOPS_AT_AN_ERROR,
    OR_BINDS_TIGHTER_THAN_AND,
    AND_BINDS_TIGHTER_THAN_RELATIONS,
    NOT_BINDS_LOOSER_THAN_RELATIONS,
    RELATIONS_ARE_RIGHT_ASSOCIATIVE,
    UNUSED_BRANCH_IS_EVALUATED,
    UNKNOWN_NAME_IS_FALSE,
    DIFFERENT_TYPES_FAIL,
    ORDER_OF_TYPES_IS_FALSE,
    VERSIONS_ARE_ORDERED_AS_TEXTS
  }

  enum Value {
    ERROR
  }

  /** A version, a quantity or a text, by its place in the order of its kind. */
  record Ranked(Kind kind, int rank) {}

  enum Kind {
    /** The order is the example of semver.org, continued. */
    VERSION(
        "1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11"
            + " 1.0.0-rc.1 1.0.0 2.0.0 2.1.0 2.1.1 10.0.0"),
    QUANTITY("0 1m 0.5 1 1k 1Ki 1.5Ki 1M 1Mi 1Gi 2e9 1Ti 1Ei"),
    /** In the order of code points, which is not the order of UTF-16. */
    STRING("A B a ab abc b \uffff \ud83d\ude00");

    final List<String> texts;

    Kind(String texts) {
      this.texts = List.of(texts.split(" "));
    }
  }

  /** An expression as text, how tight its outermost operator binds, and its value. */
  record Tree(String text, int binding, Object value) {}

  private static final int CONDITIONAL = 0;
  private static final int OR = 1;
  private static final int AND = 2;
  private static final int RELATION = 3;
  private static final int UNARY = 4;
  private static final int MEMBER = 5;
  private static final String DOMAIN = "gpu.example.com";
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f", "g", "h");

  final Random random;
  final Fault fault;
  final Set<Case> cases = EnumSet.noneOf(Case.class);
  final Map<String, Object> attributes = new TreeMap<>();
  final Map<String, BigDecimal> capacity = new TreeMap<>();

  /** The values of the attributes, to the oracle. */
  final Map<String, Object> known = new TreeMap<>();

  final Map<String, Ranked> knownCapacity = new TreeMap<>();

  RandomExpressions(long seed, Fault fault) {
    random = new Random(seed);
    this.fault = fault;
    for (String name : NAMES) {
      if (chance(85)) {
        addAttribute(name);
      }
      if (chance(70)) {
        int rank = random.nextInt(4);
        knownCapacity.put(name, new Ranked(Kind.QUANTITY, rank + 3));
        capacity.put(name, new BigDecimal(List.of("1", "1e3", "1024.00", "1536").get(rank)));
      }
    }
  }

  private void addAttribute(String name) {
    switch (random.nextInt(5)) {
      case 0 -> {
        Ranked version = ranked(Kind.VERSION);
        known.put(name, version);
        attributes.put(name, new DeviceExpression.Version(text(version)));
      }
      case 1 -> {
        Ranked string = ranked(Kind.STRING);
        known.put(name, string);
        attributes.put(name, text(string));
      }
      case 2 -> {
        known.put(name, random.nextInt(3) - 1L);
        attributes.put(name, known.get(name));
      }
      default -> {
        known.put(name, random.nextBoolean());
        attributes.put(name, known.get(name));
      }
    }
  }

  @Override
  public String driver() {
    return DOMAIN;
  }

  @Override
  public boolean allowsMultipleAllocations() {
    return true;
  }

  @Override
  public Map<String, Map<String, Object>> attributes() {
    return Map.of(DOMAIN, attributes);
  }

  @Override
  public Map<String, Map<String, BigDecimal>> capacity() {
    return Map.of(DOMAIN, capacity);
  }

  @Override
  public String toString() {
    return attributes + " " + capacity;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T pick(List<T> among) {
    return among.get(random.nextInt(among.size()));
  }

  private Ranked ranked(Kind kind) {
    return new Ranked(kind, random.nextInt(kind.texts.size()));
  }

  private static String text(Ranked value) {
    return value.kind.texts.get(value.rank);
  }

  Tree root() {
    return chance(95) ? test(1 + random.nextInt(4)) : value();
  }

  /** An expression that is a Boolean, or fails, or has the type of any attribute. */
  private Tree test(int depth) {
    if (depth == 0) {
      return leaf();
    }
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> logic(depth, false);
      case 3, 4, 5 -> logic(depth, true);
      case 6 -> not(test(depth - 1));
      case 7 -> conditional(test(depth - 1), test(depth - 1), test(depth - 1));
      case 8 -> equality(test(depth - 1), test(depth - 1));
      case 9 -> equality(value(), value());
      default -> leaf();
    };
  }

  private Tree leaf() {
    return switch (random.nextInt(12)) {
      case 0 -> new Tree("true", MEMBER, true);
      case 1 -> new Tree("false", MEMBER, false);
      case 2 -> new Tree("device.allowMultipleAllocations", MEMBER, true);
      case 3 -> order(value(), value());
      case 4, 5 -> comparison();
      case 6 -> membership();
      case 7 -> presence();
      case 8 -> string();
      default -> attribute();
    };
  }

  private Tree value() {
    Ranked string = ranked(Kind.STRING);
    long number = random.nextInt(3) - 1;
    return switch (random.nextInt(8)) {
      case 0 -> new Tree(quoted(text(string)), MEMBER, string);
      case 1 -> new Tree("" + number, UNARY, number);
      case 2 -> ranked("semver", Kind.VERSION);
      case 3 -> ranked("quantity", Kind.QUANTITY);
      case 4 -> capacityOf(pick(NAMES));
      default -> attribute();
    };
  }

  private Tree ranked(String function, Kind kind) {
    Ranked value = ranked(kind);
    return new Tree(function + "(" + quoted(text(value)) + ")", MEMBER, value);
  }

  private Tree attribute() {
    String name = pick(NAMES);
    return new Tree(path("attributes", name), MEMBER, entry(known, name));
  }

  private Tree capacityOf(String name) {
    return new Tree(path("capacity", name), MEMBER, entry(knownCapacity, name));
  }

  private Object entry(Map<String, ?> map, String name) {
    if (map.containsKey(name)) {
      return map.get(name);
    }
    cases.add(Case.NAME_IS_UNKNOWN);
    return fault == Fault.UNKNOWN_NAME_IS_FALSE ? false : Value.ERROR;
  }

  private String map(String field) {
    return "device." + field + "[" + pick(List.of(quoted(DOMAIN), "device.driver")) + "]";
  }

  private String path(String field, String name) {
    return map(field) + pick(List.of("." + name, "[" + quoted(name) + "]"));
  }

  private String quoted(String text) {
    String quote = pick(List.of("'", "\""));
    return quote + text + quote;
  }

  /** {@code ||} if true is decisive, {@code &&} if false is. */
  private Tree logic(int depth, boolean decisive) {
    int count = 2 + random.nextInt(2);
    List<String> texts = new ArrayList<>();
    boolean isDecided = false;
    boolean fails = false;
    for (int i = 0; i < count; i++) {
      Tree operand = test(depth - 1);
      isDecided |= operand.value.equals(decisive);
      fails |= !(operand.value instanceof Boolean);
      texts.add(within(operand, (decisive ? OR : AND) + (i == 0 ? 0 : 1)));
    }
    if (fails && isDecided) {
      cases.add(decisive ? Case.OR_IGNORES_AN_ERROR : Case.AND_IGNORES_AN_ERROR);
    } else if (fails) {
      cases.add(decisive ? Case.OR_FAILS : Case.AND_FAILS);
    }
    Fault stops = decisive ? Fault.OR_STOPS_AT_AN_ERROR : Fault.AND_STOPS_AT_AN_ERROR;
    Object value = fails ? Value.ERROR : !decisive;
    if (isDecided && !(fails && fault == stops)) {
      value = decisive;
    }
    String operator = space() + (decisive ? "||" : "&&") + space();
    return new Tree(String.join(operator, texts), decisive ? OR : AND, value);
  }

  private Tree not(Tree operand) {
    Object value = operand.value instanceof Boolean is ? (Object) !is : Value.ERROR;
    int least = fault == Fault.NOT_BINDS_LOOSER_THAN_RELATIONS ? RELATION : MEMBER;
    return new Tree("!" + space() + within(operand, least), UNARY, value);
  }

  private Tree conditional(Tree condition, Tree then, Tree otherwise) {
    Object value = Value.ERROR;
    if (condition.value instanceof Boolean is) {
      value = is ? then.value : otherwise.value;
      if ((is ? otherwise : then).value == Value.ERROR) {
        cases.add(Case.UNUSED_BRANCH_FAILS);
        value = fault == Fault.UNUSED_BRANCH_IS_EVALUATED ? Value.ERROR : value;
      }
    }
    String text =
        within(condition, OR)
            + (space() + "?" + space() + within(then, OR))
            + (space() + ":" + space() + within(otherwise, CONDITIONAL));
    return new Tree(text, CONDITIONAL, value);
  }

  private Tree equality(Tree left, Tree right) {
    boolean isEqual = chance(50);
    return relation(left, isEqual ? "==" : "!=", right, areEqual(left.value, right.value, isEqual));
  }

  /** The value of {@code ==}, or of {@code !=}. */
  private Object areEqual(Object left, Object right, boolean isEqual) {
    if (left == Value.ERROR || right == Value.ERROR) {
      return Value.ERROR;
    }
    if (!type(left).equals(type(right))) {
      cases.add(Case.DIFFERENT_TYPES_COMPARED);
      boolean isObject = type(left).equals(Kind.VERSION) || type(left).equals(Kind.QUANTITY);
      if (isEqual && (isObject || fault == Fault.DIFFERENT_TYPES_FAIL)) {
        return Value.ERROR;
      }
    }
    return left.equals(right) == isEqual;
  }

  private Tree order(Tree left, Tree right) {
    String operator = pick(List.of("<", "<=", ">", ">="));
    Object value = Value.ERROR;
    if (left.value != Value.ERROR && right.value != Value.ERROR) {
      Object type = type(left.value);
      boolean hasOrder = !type.equals(Kind.VERSION) && !type.equals(Kind.QUANTITY);
      if (hasOrder && type.equals(type(right.value))) {
        value = holds(operator, Long.compare(place(left.value), place(right.value)));
      } else {
        cases.add(Case.DIFFERENT_TYPES_ORDERED);
        value = fault == Fault.ORDER_OF_TYPES_IS_FALSE ? false : value;
      }
    }
    return relation(left, operator, right, value);
  }

  private static boolean holds(String operator, int order) {
    return switch (operator) {
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      case ">=" -> order >= 0;
      case "==" -> order == 0;
      default -> order != 0;
    };
  }

  private static Object type(Object value) {
    return value instanceof Ranked ranked ? ranked.kind : value.getClass();
  }

  private static long place(Object value) {
    if (value instanceof Ranked ranked) {
      return ranked.rank;
    }
    return value instanceof Long number ? number : value.equals(true) ? 1 : 0;
  }

  private Tree relation(Tree left, String operator, Tree right, Object value) {
    boolean isWrong = fault == Fault.RELATIONS_ARE_RIGHT_ASSOCIATIVE;
    String text =
        within(left, isWrong ? UNARY : RELATION)
            + (space() + operator + space())
            + within(right, isWrong ? RELATION : UNARY);
    return new Tree(text, RELATION, value);
  }

  /** Two versions or quantities, mostly. */
  private Tree comparison() {
    boolean isVersion = chance(50);
    Tree left = isVersion ? ranked("semver", Kind.VERSION) : capacityOf(pick(NAMES));
    Tree right =
        chance(20)
            ? value()
            : isVersion ? ranked("semver", Kind.VERSION) : ranked("quantity", Kind.QUANTITY);
    boolean works =
        left.value instanceof Ranked a && right.value instanceof Ranked b && a.kind == b.kind;
    int order = works ? Long.compare(place(left.value), place(right.value)) : 0;
    if (works) {
      cases.add(isVersion ? Case.VERSIONS_COMPARED : Case.QUANTITIES_COMPARED);
      if (isVersion && fault == Fault.VERSIONS_ARE_ORDERED_AS_TEXTS) {
        order = Integer.signum(text((Ranked) left.value).compareTo(text((Ranked) right.value)));
      }
    }
    String call = within(left, MEMBER) + "." + space();
    String argument = "(" + space() + right.text + space() + ")";
    if (chance(50)) {
      String operator = pick(List.of("<", "<=", ">", ">=", "==", "!="));
      int bound = random.nextInt(3) - 1;
      Object value = works ? holds(operator, Integer.compare(order, bound)) : Value.ERROR;
      Tree compareTo = new Tree(call + "compareTo" + argument, MEMBER, value);
      return relation(compareTo, operator, new Tree("" + bound, UNARY, 0L), value);
    }
    boolean isGreater = chance(50);
    Object value = works ? (isGreater ? order > 0 : order < 0) : Value.ERROR;
    return new Tree(call + (isGreater ? "isGreaterThan" : "isLessThan") + argument, MEMBER, value);
  }

  private Tree membership() {
    if (chance(40)) {
      String field = pick(List.of("attributes", "capacity"));
      String name = pick(NAMES);
      Map<String, ?> map = field.equals("capacity") ? knownCapacity : known;
      String text = quoted(name) + space() + "in " + space() + map(field);
      return new Tree(text, RELATION, map.containsKey(name));
    }
    Tree element = value();
    List<String> literals = new ArrayList<>();
    boolean isIn = false;
    for (int i = random.nextInt(3); i >= 0; i--) {
      Ranked string = ranked(Kind.STRING);
      long number = random.nextInt(3) - 1;
      Object literal = chance(50) ? string : (Object) number;
      isIn |= element.value.equals(literal);
      literals.add(literal.equals(number) ? "" + number : quoted(text(string)));
    }
    String list = "[" + space() + String.join(space() + "," + space(), literals) + space() + "]";
    boolean fails =
        element.value == Value.ERROR
            || element.value instanceof Ranked ranked && ranked.kind == Kind.VERSION;
    Object value = fails ? Value.ERROR : (Object) isIn;
    return new Tree(within(element, RELATION) + " in" + space() + list, RELATION, value);
  }

  private Tree presence() {
    boolean isCapacity = chance(30);
    String name = pick(NAMES);
    String path = map(isCapacity ? "capacity" : "attributes") + "." + name;
    boolean value = (isCapacity ? knownCapacity : known).containsKey(name);
    return new Tree("has(" + space() + path + space() + ")", MEMBER, value);
  }

  private Tree string() {
    Tree text = value();
    Ranked other = ranked(Kind.STRING);
    String function = pick(List.of("startsWith", "endsWith", "contains"));
    Object value = Value.ERROR;
    if (text.value instanceof Ranked ranked && ranked.kind == Kind.STRING) {
      int at = text(ranked).indexOf(text(other));
      int last = text(ranked).length() - text(other).length();
      value =
          switch (function) {
            case "startsWith" -> at == 0;
            case "endsWith" -> last >= 0 && text(ranked).substring(last).equals(text(other));
            default -> at >= 0;
          };
    }
    String call = "." + function + "(" + quoted(text(other)) + ")";
    return new Tree(within(text, MEMBER) + call, MEMBER, value);
  }

  /** A tree as an operand, in parentheses where it binds less than it must, and elsewhere. */
  private String within(Tree tree, int least) {
    boolean isNeeded = tree.binding < least;
    if (fault == Fault.OR_BINDS_TIGHTER_THAN_AND && least >= AND && least <= RELATION) {
      isNeeded &= tree.binding != OR;
    }
    if (fault == Fault.AND_BINDS_TIGHTER_THAN_RELATIONS && least >= RELATION && least <= UNARY) {
      isNeeded &= tree.binding != AND;
    }
    if (!isNeeded && !chance(15)) {
      return tree.text;
    }
    cases.add(isNeeded ? Case.NEEDED_PARENTHESES : Case.OTHER_PARENTHESES);
    return "(" + space() + tree.text + space() + ")";
  }

  private String space() {
    return pick(List.of("", "", " ", "\n  "));
  }
}
