package io.lighthouse.kubernetes.cluster.object;

import io.lighthouse.api.Rule;
import java.util.Map;
import java.util.TreeMap;

/** How labels are called as domains: the key is the level, the value the domain. */
public final class LabelLevels {
  /** What an empty value is called: no value holds quotes, and no domain is without a name. */
  private static final String EMPTY = "\"\"";

  private LabelLevels() {}

  /** The level of a label; a colon, which no key holds, tells it from the built-in levels. */
  public static String level(String key) {
    return key.equals(Rule.NODE) || key.equals(Rule.FLEET) ? "label:" + key : key;
  }

  /** The domain of a value. */
  public static String domain(String value) {
    return value.isEmpty() ? EMPTY : value;
  }

  public static Map<String, String> domains(Map<String, String> labels) {
    Map<String, String> domains = new TreeMap<>();
    labels.forEach((key, value) -> domains.put(level(key), domain(value)));
    return domains;
  }
}
