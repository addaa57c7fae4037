package io.lighthouse.json.token;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Inventory;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.json.Rounding;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what stands for a quantity of a node or domain where it is an object. Not thread-safe. */
final class InventoryParser {
  private static final String LEFT = "left";
  private static final String TOTAL = "total";

  private static final Map<String, List<String>> BESIDE = new LinkedHashMap<>();

  static {
    BESIDE.put(LEFT, List.of("min", "max", "step"));
    BESIDE.put(TOTAL, List.of("reserved", "ratio", "min", "max", "step"));
    BESIDE.put("reserved", List.of(TOTAL, "ratio", "min", "max", "step"));
    BESIDE.put("ratio", List.of(TOTAL, "reserved", "min", "max", "step"));
    List<String> all = List.of(LEFT, TOTAL, "reserved", "ratio", "min", "max", "step");
    BESIDE.put("min", all);
    BESIDE.put("max", all);
    BESIDE.put("step", all);
  }

  private static final ObjectMembers.Form FORM = ObjectMembers.Form.exclusive(BESIDE);

  private final Tokens tokens;
  private final Values values;

  InventoryParser(Tokens tokens, Values values) {
    this.tokens = tokens;
    this.values = values;
  }

  /** The current object and below; null where it is wrong. */
  Stock stock() {
    ObjectMembers object = new ObjectMembers(tokens, FORM);
    Map<String, Quantity> parts = new LinkedHashMap<>();
    String word;
    while ((word = object.next()) != null) {
      parts.put(word, values.quantity(word, use(word)));
    }
    if (object.has("reserved") || object.has("ratio")) {
      object.requireIfSound(TOTAL, "what there is in all, which reserved and ratio are of");
    } else {
      object.requireOneOf("one of the two", LEFT, TOTAL);
    }
    if (!object.isSound()) {
      return null;
    }
    Quantity min = parts.getOrDefault("min", Quantity.ZERO);
    Quantity max = parts.getOrDefault("max", Quantity.INFINITY);
    if (min.compareTo(max) > 0) {
      String most = InvalidInputException.shortened(max.toString());
      object.wrong("min", min.toString(), "at most max, which is " + most);
      return null;
    }
    Unit unit = new Unit(min, max, parts.getOrDefault("step", Quantity.ZERO));
    return object.has(LEFT)
        ? new Stock(parts.get(LEFT), false, unit, null)
        : ofTotal(object, parts, unit);
  }

  private Stock ofTotal(ObjectMembers object, Map<String, Quantity> parts, Unit unit) {
    Quantity total = parts.get(TOTAL);
    Quantity reserved = parts.getOrDefault("reserved", Quantity.ZERO);
    Quantity ratio = parts.getOrDefault("ratio", Quantity.ONE);
    try {
      Quantity capacity = Inventory.ofTotal(total).reserved(reserved).ratio(ratio).quantity();
      Rounding rounding = null;
      if (!total.isInfinite()) {
        BigDecimal exact =
            total
                .toBigDecimal()
                .subtract(reserved.toBigDecimal())
                .multiply(ratio.toBigDecimal())
                .stripTrailingZeros();
        if (exact.scale() > Quantity.LEDGER_DIGITS) {
          int scale = Math.min(exact.scale(), Quantity.MAX_DIGITS);
          Quantity given = Quantity.of(exact.setScale(scale, RoundingMode.DOWN));
          rounding = new Rounding(object.place(TOTAL), given, capacity);
        }
      }
      return new Stock(capacity, true, unit, rounding);
    } catch (InvalidInputException tooLong) {
      object.wrong(
          TOTAL,
          total.toString(),
          "a total of which (total - reserved) x ratio has at most "
              + Quantity.MAX_DIGITS
              + " digits before the point");
      return null;
    }
  }

  private static Values.Use use(String word) {
    return switch (word) {
      case LEFT, TOTAL -> Values.Use.PLAIN;
      case "reserved" -> Values.Use.REQUIREMENT;
      default -> Values.Use.ABOVE_0;
    };
  }
}
