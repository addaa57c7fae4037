package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.device.DeviceExpression.Subject;
import io.lighthouse.kubernetes.cluster.device.DeviceExpression.Version;
import io.lighthouse.kubernetes.cluster.device.DeviceOperands.Operand;
import io.lighthouse.kubernetes.cluster.object.KubeQuantity;
import io.lighthouse.kubernetes.cluster.object.UnsupportedFieldException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A parser of {@link DeviceExpression}, by recursive descent: one method for each level of
 * precedence. Source: the grammar in the CEL language definition.
 */
final class DeviceExpressionParser {
  /** How deep parentheses, arguments and conditionals may be nested. */
  private static final int MAX_LEVELS = 64;

  /** How many comparisons, or calls of functions, one operand may have in a row. */
  private static final int MAX_CHAIN = 8;

  private static final List<String> RELATIONS = List.of("==", "!=", "<=", ">=", "<", ">");
  private static final Set<String> FUNCTIONS_OF_TWO =
      Set.of("startsWith", "endsWith", "contains", "compareTo", "isGreaterThan", "isLessThan");

  private final DeviceExpressionScanner scanner;
  private int levels;

  DeviceExpressionParser(String text) {
    scanner = new DeviceExpressionScanner(text);
  }

  /** {@code device.attributes} or {@code device.capacity}, followed by at most two keys. */
  private record Path(
      boolean isCapacity, List<Function<Subject, String>> keys, boolean endsWithName) {
    boolean isEntry() {
      return keys.size() == 2;
    }

    /** The names of a domain, or the domains where no key is given. Unknown domains are empty. */
    Map<String, ?> map(Subject device) {
      Map<String, ? extends Map<String, ?>> domains =
          isCapacity ? device.capacity() : device.attributes();
      if (keys.isEmpty()) {
        return domains;
      }
      Map<String, ?> names = domains.get(keys.get(0).apply(device));
      return names == null ? Map.of() : names;
    }

    String name(Subject device) {
      return keys.get(1).apply(device);
    }
  }

  /**
   * Parses the text, once.
   *
   * @throws UnsupportedFieldException if it is not in the subset
   */
  Operand parse() {
    Operand whole = expression();
    if (!scanner.isAtEnd()) {
      throw scanner.unexpected();
    }
    return whole;
  }

  private Operand expression() {
    if (++levels > MAX_LEVELS) {
      throw scanner.unsupported("more than " + MAX_LEVELS + " levels");
    }
    Operand operand = or();
    if (scanner.accept("?")) {
      Operand then = or();
      scanner.require(":");
      operand = DeviceOperands.conditional(operand, then, expression());
    }
    levels--;
    return operand;
  }

  private Operand or() {
    List<Operand> operands = new ArrayList<>();
    do {
      operands.add(and());
    } while (scanner.accept("||"));
    return operands.size() == 1 ? operands.get(0) : DeviceOperands.logic(operands, true);
  }

  private Operand and() {
    List<Operand> operands = new ArrayList<>();
    do {
      operands.add(relation());
    } while (scanner.accept("&&"));
    return operands.size() == 1 ? operands.get(0) : DeviceOperands.logic(operands, false);
  }

  private Operand relation() {
    Operand operand = unary();
    for (int chain = 1; ; chain++) {
      String operator = scanner.acceptWord("in") ? "in" : "";
      for (int i = 0; operator.isEmpty() && i < RELATIONS.size(); i++) {
        operator = scanner.accept(RELATIONS.get(i)) ? RELATIONS.get(i) : "";
      }
      if (operator.isEmpty()) {
        return operand;
      }
      requireChain(chain);
      operand = operator.equals("in") ? membership(operand) : relation(operand, operator, unary());
    }
  }

  private static Operand relation(Operand left, String operator, Operand right) {
    return switch (operator) {
      case "==" -> DeviceOperands.equal(left, right);
      case "!=" -> DeviceOperands.different(left, right);
      case "<=" -> DeviceOperands.ordered(left, right, order -> order <= 0);
      case ">=" -> DeviceOperands.ordered(left, right, order -> order >= 0);
      case "<" -> DeviceOperands.ordered(left, right, order -> order < 0);
      default -> DeviceOperands.ordered(left, right, order -> order > 0);
    };
  }

  /** The right side of {@code in}: literals, or a map of the device. */
  private Operand membership(Operand element) {
    if (scanner.accept("[")) {
      List<Object> literals = literals();
      return DeviceOperands.in(element, literals);
    }
    if (!scanner.acceptWord("device")) {
      throw scanner.unsupported("'in' without a list of literals or a map of the device");
    }
    scanner.require(".");
    Path path = path(scanner.name());
    if (path.isEntry()) {
      throw scanner.unsupported("'in' of one attribute or capacity");
    }
    return device -> {
      Object value = element.value(device);
      if (value == DeviceOperands.FAILED) {
        return value;
      }
      Map<String, ?> map = path.map(device);
      return value instanceof String && map.containsKey(value);
    };
  }

  /** An even number of negations is none, as upstream. */
  private Operand unary() {
    boolean isNegated = false;
    while (scanner.accept("!")) {
      isNegated = !isNegated;
    }
    Operand operand = primary();
    for (int chain = 1; scanner.accept("."); chain++) {
      requireChain(chain);
      operand = call(operand, scanner.name());
    }
    return isNegated ? DeviceOperands.not(operand) : operand;
  }

  private Operand primary() {
    if (scanner.accept("(")) {
      Operand inner = expression();
      scanner.require(")");
      return inner;
    }
    if (scanner.peek() == '[') {
      throw scanner.unsupported("a list that does not follow 'in'");
    }
    if (!scanner.isAtName()) {
      return DeviceOperands.constant(scanner.literal());
    }
    String word = scanner.name();
    return switch (word) {
      case "device" -> device();
      case "has" -> has();
      case "quantity", "semver" -> DeviceOperands.constant(converted(word));
      default ->
          throw scanner.unsupported(scanner.peek() == '(' ? function(word) : "'" + word + "'");
    };
  }

  private Operand device() {
    scanner.require(".");
    String field = scanner.name();
    switch (field) {
      case "driver":
        return Subject::driver;
      case "allowMultipleAllocations":
        return Subject::allowsMultipleAllocations;
      default:
        Path path = path(field);
        if (!path.isEntry()) {
          throw scanner.unsupported("a map of the device as a value");
        }
        return device -> {
          Object value = path.map(device).get(path.name(device));
          return value == null ? DeviceOperands.FAILED : value;
        };
    }
  }

  private Operand has() {
    scanner.require("(");
    if (!scanner.acceptWord("device")) {
      throw scanner.unsupported("has() without a field of the device");
    }
    scanner.require(".");
    Path path = path(scanner.name());
    if (!path.isEntry() || !path.endsWithName) {
      throw scanner.unsupported("has() without the name of an attribute or a capacity");
    }
    scanner.require(")");
    return device -> path.map(device).containsKey(path.name(device));
  }

  private Path path(String field) {
    if (!field.equals("attributes") && !field.equals("capacity")) {
      throw scanner.unsupported("device." + field);
    }
    List<Function<Subject, String>> keys = new ArrayList<>();
    boolean endsWithName = false;
    while (keys.size() < 2 && (scanner.peek() == '.' || scanner.peek() == '[')) {
      endsWithName = scanner.accept(".");
      if (endsWithName) {
        String name = scanner.name();
        if (scanner.peek() == '(') {
          throw scanner.unsupported(function(name) + " of a map");
        }
        keys.add(device -> name);
      } else {
        scanner.require("[");
        keys.add(key());
        scanner.require("]");
      }
    }
    return new Path(field.equals("capacity"), List.copyOf(keys), endsWithName);
  }

  private Function<Subject, String> key() {
    if (scanner.isAtString()) {
      String key = scanner.string();
      return device -> key;
    }
    if (!(scanner.acceptWord("device") && scanner.accept(".") && scanner.acceptWord("driver"))) {
      throw scanner.unsupported("a key that is neither a string literal nor device.driver");
    }
    return Subject::driver;
  }

  /**
   * A call of a function of a value. {@code matches} is not supported: it takes an expression of
   * RE2, and those of Java differ in syntax and can take exponential time.
   */
  private Operand call(Operand target, String name) {
    if (scanner.peek() != '(') {
      throw scanner.unsupported("the field '" + name + "' of a value");
    }
    String function = function(name);
    scanner.require("(");
    if (scanner.accept(")")) {
      return switch (name) {
        case "lowerAscii" ->
            DeviceOperands.ofString(
                target, text -> DeviceOperands.moveLetters(text, 'A', 'a' - 'A'));
        case "upperAscii" ->
            DeviceOperands.ofString(
                target, text -> DeviceOperands.moveLetters(text, 'a', 'A' - 'a'));
        case "size" ->
            DeviceOperands.ofString(target, text -> (long) text.codePointCount(0, text.length()));
        default -> throw scanner.unsupported(function);
      };
    }
    if (!FUNCTIONS_OF_TWO.contains(name)) {
      throw scanner.unsupported(function);
    }
    Operand argument = expression();
    scanner.require(")");
    return switch (name) {
      case "startsWith" -> DeviceOperands.ofStrings(target, argument, String::startsWith);
      case "endsWith" -> DeviceOperands.ofStrings(target, argument, String::endsWith);
      case "contains" -> DeviceOperands.ofStrings(target, argument, String::contains);
      case "compareTo" -> DeviceOperands.compared(target, argument, sign -> (long) sign);
      case "isGreaterThan" -> DeviceOperands.compared(target, argument, sign -> sign > 0);
      default -> DeviceOperands.compared(target, argument, sign -> sign < 0);
    };
  }

  /** The quantity or version that a function makes of a string literal. */
  private Object converted(String function) {
    scanner.require("(");
    if (!scanner.isAtString()) {
      throw scanner.unsupported(function + "() without a string literal");
    }
    String argument = scanner.string();
    scanner.require(")");
    try {
      return function.equals("quantity") ? KubeQuantity.parse(argument) : new Version(argument);
    } catch (IllegalArgumentException invalid) {
      throw scanner.unsupported(function + "() of '" + argument + "'");
    }
  }

  private List<Object> literals() {
    List<Object> literals = new ArrayList<>();
    while (!scanner.accept("]")) {
      literals.add(scanner.literal());
      if (!scanner.accept(",") && scanner.peek() != ']') {
        throw scanner.unexpected();
      }
    }
    if (literals.isEmpty()) {
      throw scanner.unsupported("an empty list");
    }
    return List.copyOf(literals);
  }

  private void requireChain(int length) {
    if (length > MAX_CHAIN) {
      throw scanner.unsupported("more than " + MAX_CHAIN + " comparisons or calls in a row");
    }
  }

  private static String function(String name) {
    return "the function " + name + "()";
  }
}
