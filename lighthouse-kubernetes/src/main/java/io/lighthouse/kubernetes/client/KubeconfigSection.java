package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An object in a kubeconfig with its place there. It reads fields, and names them in messages.
 *
 * @param file the kubeconfig
 * @param place what the names of fields begin with, such as {@code users.user.}
 * @param fields the fields by their names
 */
record KubeconfigSection(Path file, String place, Map<?, ?> fields) {
  /** A text; nothing where the field is missing or empty. */
  Optional<String> text(String field) {
    Object value = fields.get(field);
    if (value == null || value instanceof String) {
      return Optional.ofNullable((String) value).filter(text -> !text.isEmpty());
    }
    String found = field.equals("token") ? "no text" : "'" + value + "'"; // No secrets in messages.
    throw wrong(field, found, "a text");
  }

  /** A text that must be there. */
  String required(String field) {
    return text(field).orElseThrow(() -> wrong(field, "missing", "a text"));
  }

  /** True or false; false where the field is missing. */
  boolean isTrue(String field) {
    Object value = fields.get(field);
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value);
    }
    throw wrong(field, "'" + value + "'", "true or false");
  }

  /** A list; empty where the field is missing. */
  List<?> list(String field) {
    Object value = fields.get(field);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list) {
      return list;
    }
    throw wrong(field, "no list", "a list");
  }

  /** The object that a field holds, or nothing. */
  Optional<KubeconfigSection> section(String field) {
    Object value = fields.get(field);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof Map<?, ?> map) {
      return Optional.of(new KubeconfigSection(file, place + field + ".", map));
    }
    throw wrong(field, "no object", "an object");
  }

  /** In the list of a field, the entry of a name, and in it the object of the kind's name. */
  KubeconfigSection named(String field, String name, String kind) {
    for (Object entry : list(field)) {
      if (entry instanceof Map<?, ?> map && name.equals(map.get("name"))) {
        if (map.get(kind) instanceof Map<?, ?> found) {
          return new KubeconfigSection(file, field + "." + kind + ".", found);
        }
        throw wrong(field + " '" + name + "'." + kind, "no object", "an object");
      }
    }
    throw wrong(field, "without '" + name + "'", "an entry of that name");
  }

  /** A text in PEM, from the file that a field names, or inline in Base64 from FIELD-data. */
  Optional<String> pem(String field) {
    Optional<String> data = text(field + "-data");
    if (data.isPresent()) {
      try {
        byte[] bytes = Base64.getMimeDecoder().decode(data.get());
        return Optional.of(new String(bytes, StandardCharsets.ISO_8859_1));
      } catch (IllegalArgumentException broken) {
        throw wrong(field + "-data", "no Base64", "Base64 of PEM");
      }
    }
    return text(field).map(path -> content(field, StandardCharsets.ISO_8859_1));
  }

  /** The content of the file that a field names. */
  String content(String field, Charset charset) {
    String path = required(field);
    try {
      return Files.readString(beside(path), charset);
    } catch (IOException unreadable) {
      throw wrong(field, "'" + path + "'", "a file that can be read (" + unreadable + ")");
    }
  }

  /** The path of a kubeconfig is relative to the folder of the kubeconfig. */
  Path beside(String path) {
    return file.toAbsolutePath().resolveSibling(path);
  }

  /** Refuses a field that is set. Its value is not named: it may be a password. */
  void refuse(String field, String allowed) {
    Object value = fields.get(field);
    if (value != null && !Boolean.FALSE.equals(value) && !"".equals(value)) {
      throw wrong(field, "set, which is not supported", allowed);
    }
  }

  InvalidInputException wrong(String field, String found, String allowed) {
    return new InvalidInputException("kubeconfig " + file, place + field, found, allowed);
  }
}
