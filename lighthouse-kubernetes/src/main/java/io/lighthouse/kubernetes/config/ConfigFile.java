package io.lighthouse.kubernetes.config;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.Suggestion;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads the fields of a configuration, which is an object in YAML 1.2 or JSON. */
public final class ConfigFile {
  private ConfigFile() {}

  /**
   * Reads a file.
   *
   * @param where what messages call it
   * @param file the file
   * @return its fields; none where it is empty
   * @throws InvalidInputException if it cannot be read, or does not hold an object
   */
  public static Map<?, ?> read(String where, Path file) {
    try {
      return parse(where, Files.readString(file));
    } catch (CharacterCodingException broken) {
      throw noYaml(where, "the text", "it is not UTF-8");
    } catch (IOException unreadable) {
      throw new InvalidInputException(
          where,
          "the file",
          Files.isDirectory(file) ? "a directory" : "not readable",
          "a file that can be read");
    }
  }

  /**
   * Reads a text.
   *
   * @param where what messages call it
   * @param text the text
   * @return its fields; none where it is empty
   * @throws InvalidInputException if it does not hold an object
   */
  public static Map<?, ?> parse(String where, String text) {
    Object loaded;
    try {
      loaded =
          new Load(LoadSettings.builder().setLabel(where).setAllowDuplicateKeys(false).build())
              .loadFromString(text);
    } catch (MarkedYamlEngineException broken) {
      String line =
          broken.getProblemMark().map(mark -> "line " + (mark.getLine() + 1)).orElse("the text");
      throw noYaml(where, line, broken.getProblem());
    } catch (YamlEngineException broken) {
      throw noYaml(where, "the text", broken.getMessage());
    }
    if (loaded == null) {
      return Map.of();
    }
    if (!(loaded instanceof Map<?, ?> fields)) {
      throw new InvalidInputException(
          where, "the text", "'" + loaded + "'", "an object, as lines such as name: value");
    }
    return fields;
  }

  private static InvalidInputException noYaml(String where, String place, String problem) {
    return new InvalidInputException(where, place, "no YAML: " + problem, "YAML 1.2 or JSON");
  }

  /**
   * The exception for a field that is not known.
   *
   * @param where what messages call the configuration
   * @param path where the object is in it, such as {@code binding.}; empty for the whole
   * @param field the field
   * @param known the fields that are known
   * @return the exception, with the field that was probably meant
   */
  public static InvalidInputException unknown(
      String where, String path, Object field, Collection<String> known) {
    return new InvalidInputException(
        where,
        path + field,
        "not known",
        "one of " + String.join(", ", known) + Suggestion.question(String.valueOf(field), known));
  }
}
