package io.lighthouse.scheduler.model;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * The arithmetic of resource vectors, by Scale's rules, exact. A vector is the api's {@link
 * Resources}; nothing here changes its arguments.
 *
 * <p>A request of 0 of a resource that is not there is met ({@link #covers}); that is what the
 * scheduling manager goes by. A distributor goes by another rule: to it a tag is missing.
 *
 * <p>Every operation costs a walk over the names of both vectors.
 */
public final class ResourceVectors {
  /** The most that is requested or offered of a resource: sums of it are quantities, too. */
  private static final Quantity MOST = Quantity.of("1e900");

  private ResourceVectors() {}

  /**
   * The sum, name by name; a name that only one of them has is kept.
   *
   * @param a a vector
   * @param b another
   * @return their sum
   */
  public static Resources plus(Resources a, Resources b) {
    return b.isEmpty() ? a : a.isEmpty() ? b : merge(a, b, Missing.KEPT, Quantity::plus);
  }

  /**
   * The difference, name by name. A name that {@code a} lacks is ignored, so nothing is owed that
   * never was there; a result may be negative.
   *
   * @param a a vector
   * @param b what to take away
   * @return the difference, with exactly the names of {@code a}
   */
  public static Resources minus(Resources a, Resources b) {
    return a.isEmpty() || b.isEmpty() ? a : merge(a, b, Missing.IGNORED, Quantity::minus);
  }

  /**
   * The larger of the two, name by name; a name that only one of them has is kept.
   *
   * @param a a vector
   * @param b another
   * @return their maximum
   */
  public static Resources max(Resources a, Resources b) {
    return b.isEmpty()
        ? a
        : a.isEmpty() ? b : merge(a, b, Missing.KEPT, (x, y) -> x.compareTo(y) >= 0 ? x : y);
  }

  /**
   * The smaller of the two, name by name. A name that {@code limit} lacks is left out.
   *
   * @param a a vector
   * @param limit what it must not exceed
   * @return the capped vector
   */
  public static Resources cappedBy(Resources a, Resources limit) {
    return merge(a, limit, Missing.DROPPED, (x, y) -> x.compareTo(y) <= 0 ? x : y);
  }

  /**
   * The sum of many.
   *
   * @param vectors the vectors
   * @return their sum; no resource at all for none
   */
  public static Resources sum(Collection<Resources> vectors) {
    Resources sum = Resources.none();
    for (Resources vector : vectors) {
      sum = plus(sum, vector);
    }
    return sum;
  }

  /**
   * Scale's rule: whether there is at least as much as requested of everything that is requested. A
   * resource that is not there counts as 0, so a request of 0 of it is met; a negative quantity
   * does not meet a request of 0. What is not requested does not matter.
   *
   * @param have what is there
   * @param request what is requested
   * @return true if it is enough
   */
  public static boolean covers(Resources have, Resources request) {
    int at = 0;
    for (int i = 0; i < request.size(); i++) {
      at = find(have, request.name(i), at);
      Quantity there = at < 0 ? Quantity.ZERO : have.quantity(at);
      if (there.compareTo(request.quantity(i)) < 0) {
        return false;
      }
      at = at < 0 ? -at - 1 : at + 1;
    }
    return true;
  }

  /**
   * Of how many requests each is covered, taken by itself.
   *
   * @param have what is there
   * @param requests what is requested; one that stands twice counts twice
   * @return how many {@link #covers} holds for
   */
  public static int covered(Resources have, List<Resources> requests) {
    int count = 0;
    for (Resources request : requests) {
      count += covers(have, request) ? 1 : 0;
    }
    return count;
  }

  /**
   * The names of what is requested and not covered.
   *
   * @param have what is there
   * @param request what is requested
   * @return the names in their order; none if {@link #covers} holds
   */
  public static List<String> shortOf(Resources have, Resources request) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < request.size(); i++) {
      String name = request.name(i);
      if (have.get(name).orElse(Quantity.ZERO).compareTo(request.quantity(i)) < 0) {
        names.add(name);
      }
    }
    return names;
  }

  /**
   * Whether no quantity is other than 0.
   *
   * @param vector a vector
   * @return true if all are 0, or there is none
   */
  public static boolean isZero(Resources vector) {
    for (int i = 0; i < vector.size(); i++) {
      if (vector.quantity(i).signum() != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Lets a request pass: from 0 to 1e900; finer than {@link Quantity#LEDGER_DIGITS} digits is
   * rounded up.
   *
   * @param request the vector
   * @param subject whose it is, for the message
   * @return the vector, rounded
   * @throws InvalidInputException if a quantity is negative or above 1e900
   */
  public static Resources request(Resources request, String subject) {
    return checked(request, subject, "request", RoundingMode.CEILING);
  }

  /**
   * Lets resources of a node pass: from 0 to 1e900; finer than {@link Quantity#LEDGER_DIGITS}
   * digits is rounded down.
   *
   * @param resources the vector
   * @param subject whose they are, for the message
   * @return the vector, rounded
   * @throws InvalidInputException if a quantity is negative or above 1e900
   */
  public static Resources offered(Resources resources, String subject) {
    return checked(resources, subject, "resources", RoundingMode.FLOOR);
  }

  private static Resources checked(
      Resources vector, String subject, String field, RoundingMode mode) {
    boolean fine = false;
    for (int i = 0; i < vector.size(); i++) {
      Quantity quantity = vector.quantity(i);
      if (quantity.signum() < 0 || quantity.compareTo(MOST) > 0) {
        throw new InvalidInputException(
            subject,
            field + "." + vector.name(i),
            quantity.toString(),
            "a decimal from 0 to 1e900");
      }
      fine |= quantity.scale() > Quantity.LEDGER_DIGITS;
    }
    if (!fine) {
      return vector;
    }
    String[] names = vector.names().toArray(String[]::new);
    Quantity[] rounded = new Quantity[names.length];
    for (int i = 0; i < names.length; i++) {
      rounded[i] = vector.quantity(i).rounded(mode);
    }
    return Resources.of(names, rounded);
  }

  /** What becomes of a name that one of two vectors lacks. */
  private enum Missing {
    /** Kept, whichever has it. */
    KEPT,
    /** Kept if the first has it, else left out. */
    IGNORED,
    /** Left out. */
    DROPPED
  }

  /** One walk along both, which stand in the order of their names. */
  private static Resources merge(
      Resources a, Resources b, Missing missing, BinaryOperator<Quantity> operation) {
    String[] names = new String[a.size() + b.size()];
    Quantity[] quantities = new Quantity[names.length];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < a.size() || j < b.size()) {
      int side = i == a.size() ? 1 : j == b.size() ? -1 : Names.compare(a.name(i), b.name(j));
      if (side == 0) {
        names[count] = a.name(i);
        quantities[count++] = operation.apply(a.quantity(i++), b.quantity(j++));
      } else if (side < 0) {
        if (missing != Missing.DROPPED) {
          names[count] = a.name(i);
          quantities[count++] = a.quantity(i);
        }
        i++;
      } else {
        if (missing == Missing.KEPT) {
          names[count] = b.name(j);
          quantities[count++] = b.quantity(j);
        }
        j++;
      }
    }
    return Resources.of(Arrays.copyOf(names, count), Arrays.copyOf(quantities, count));
  }

  /** The index of a name at or behind a place; or -(where it would stand) - 1. */
  private static int find(Resources vector, String name, int from) {
    for (int at = from; at < vector.size(); at++) {
      int order = Names.compare(vector.name(at), name);
      if (order >= 0) {
        return order == 0 ? at : -at - 1;
      }
    }
    return -vector.size() - 1;
  }
}
