package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the components of a node or workload from a map of texts, numbers, maps and lists. */
final class MapReader {
  private final String subject;
  private final Map<String, ?> map;

  MapReader(String kind, Map<String, ?> map, List<String> known) {
    this.map = map;
    this.subject = kind + (map.get("name") instanceof String name ? " '" + name + "'" : "");
    for (String key : map.keySet()) {
      if (!known.contains(key)) {
        throw new InvalidInputException(
            subject, "key", "'" + key + "'", "one of " + String.join(", ", known));
      }
    }
  }

  String text(String key) {
    if (map.get(key) instanceof String text) {
      return text;
    }
    throw wrong(key, "a text");
  }

  boolean flag(String key) {
    if (!map.containsKey(key)) {
      return false;
    }
    if (map.get(key) instanceof Boolean flag) {
      return flag;
    }
    throw wrong(key, "true or false");
  }

  Resources resources(String key) {
    if (!(map.get(key) instanceof Map<?, ?> given)) {
      throw wrong(key, "a map from names to quantities");
    }
    Map<String, Quantity> quantities = new LinkedHashMap<>();
    texts(key, given)
        .forEach((name, value) -> quantities.put(name, quantity(key + "." + name, value)));
    return Resources.of(quantities);
  }

  private Quantity quantity(String field, Object value) {
    try {
      return Quantity.of(value);
    } catch (InvalidInputException wrong) {
      throw new InvalidInputException(subject, field, wrong.found(), wrong.allowed());
    }
  }

  Collection<String> names(String key) {
    List<String> names = new ArrayList<>();
    for (Object name : items(key)) {
      if (!(name instanceof String text)) {
        throw wrong(key, "a collection of texts");
      }
      names.add(text);
    }
    return names;
  }

  List<Map<String, ?>> maps(String key) {
    List<Map<String, ?>> maps = new ArrayList<>();
    for (Object item : items(key)) {
      if (!(item instanceof Map<?, ?> entries)) {
        throw wrong(key, "a collection of maps");
      }
      maps.add(texts(key, entries));
    }
    return maps;
  }

  private Collection<?> items(String key) {
    if (!map.containsKey(key)) {
      return List.of();
    }
    if (map.get(key) instanceof Collection<?> items) {
      return items;
    }
    throw wrong(key, "a collection");
  }

  private Map<String, ?> texts(String key, Map<?, ?> entries) {
    Map<String, Object> texts = new LinkedHashMap<>();
    entries.forEach(
        (name, value) -> {
          if (!(name instanceof String text)) {
            throw wrong(key, "texts as keys");
          }
          texts.put(text, value);
        });
    return texts;
  }

  private InvalidInputException wrong(String key, String allowed) {
    return new InvalidInputException(
        subject, key, map.containsKey(key) ? String.valueOf(map.get(key)) : "missing", allowed);
  }
}
