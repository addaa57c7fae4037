package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.device.DeviceExpression.Subject;
import io.lighthouse.kubernetes.cluster.device.DeviceExpression.Version;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * The operations of a {@link DeviceExpression}. A value is a String, a Long, a Boolean, a
 * BigDecimal (a quantity), a {@link Version}, or {@link #FAILED}.
 */
final class DeviceOperands {
  /** The value of an operation that CEL evaluates to an error. */
  static final Object FAILED = new Object();

  /** A part of an expression. */
  interface Operand {
    Object value(Subject device);
  }

  private DeviceOperands() {}

  static Operand constant(Object value) {
    return device -> value;
  }

  /**
   * {@code &&} of some operands if false is decisive, {@code ||} if true is. One decisive operand
   * is enough, even if others fail.
   */
  static Operand logic(List<Operand> operands, boolean decisive) {
    List<Operand> all = List.copyOf(operands);
    return device -> {
      boolean failed = false;
      for (Operand operand : all) {
        Object value = operand.value(device);
        if (value.equals(decisive)) {
          return decisive;
        }
        failed |= !(value instanceof Boolean);
      }
      return failed ? FAILED : (Object) !decisive;
    };
  }

  static Operand not(Operand operand) {
    return device -> operand.value(device) instanceof Boolean value ? (Object) !value : FAILED;
  }

  /** Evaluates one of the two branches only. */
  static Operand conditional(Operand condition, Operand then, Operand otherwise) {
    return device -> {
      if (condition.value(device) instanceof Boolean holds) {
        return (holds ? then : otherwise).value(device);
      }
      return FAILED;
    };
  }

  static Operand equal(Operand left, Operand right) {
    return binary(left, right, DeviceOperands::equality);
  }

  /** As upstream, this is true where {@link #equal} fails although both sides have a value. */
  static Operand different(Operand left, Operand right) {
    return binary(left, right, (a, b) -> !equality(a, b).equals(true));
  }

  private static Object equality(Object left, Object right) {
    if (left instanceof BigDecimal a) {
      return right instanceof BigDecimal b ? a.compareTo(b) == 0 : FAILED;
    }
    if (left instanceof Version a) {
      return right instanceof Version b ? a.compareTo(b) == 0 : FAILED;
    }
    return left.equals(right);
  }

  /** The operators of order. Strings are ordered by their code points. */
  static Operand ordered(Operand left, Operand right, IntPredicate holds) {
    return binary(
        left,
        right,
        (a, b) -> {
          if (a instanceof Long x && b instanceof Long y) {
            return holds.test(x.compareTo(y));
          }
          if (a instanceof Boolean x && b instanceof Boolean y) {
            return holds.test(x.compareTo(y));
          }
          if (a instanceof String x && b instanceof String y) {
            return holds.test(Arrays.compareUnsigned(utf8(x), utf8(y)));
          }
          return FAILED;
        });
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The functions of order, which only quantities and versions have. */
  static Operand compared(Operand left, Operand right, IntFunction<Object> result) {
    return binary(
        left,
        right,
        (a, b) -> {
          if (a instanceof BigDecimal x && b instanceof BigDecimal y) {
            return result.apply(Integer.signum(x.compareTo(y)));
          }
          if (a instanceof Version x && b instanceof Version y) {
            return result.apply(Integer.signum(x.compareTo(y)));
          }
          return FAILED;
        });
  }

  /** Whether a value is one of some literals. As upstream, this fails for a version. */
  static Operand in(Operand element, List<Object> literals) {
    return device -> {
      Object value = element.value(device);
      return value == FAILED || value instanceof Version ? FAILED : literals.contains(value);
    };
  }

  static Operand ofString(Operand operand, Function<String, Object> function) {
    return device -> operand.value(device) instanceof String text ? function.apply(text) : FAILED;
  }

  static Operand ofStrings(Operand left, Operand right, BiPredicate<String, String> function) {
    return binary(
        left,
        right,
        (a, b) -> a instanceof String x && b instanceof String y ? function.test(x, y) : FAILED);
  }

  /** Moves the letters from {@code first} to {@code first + 25}; all other characters stay. */
  static String moveLetters(String text, char first, int distance) {
    StringBuilder moved = new StringBuilder(text);
    for (int i = 0; i < moved.length(); i++) {
      char letter = moved.charAt(i);
      if (letter >= first && letter < first + 26) {
        moved.setCharAt(i, (char) (letter + distance));
      }
    }
    return moved.toString();
  }

  private static Operand binary(Operand left, Operand right, BinaryOperator<Object> operation) {
    return device -> {
      Object a = left.value(device);
      Object b = right.value(device);
      return a == FAILED || b == FAILED ? FAILED : operation.apply(a, b);
    };
  }
}
