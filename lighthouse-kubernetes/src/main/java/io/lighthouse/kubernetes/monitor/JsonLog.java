package io.lighthouse.kubernetes.monitor;

import io.lighthouse.json.write.AnswerWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.function.Consumer;

/** The log: one line of JSON an event, with its time and level. Thread-safe where the sink is. */
public final class JsonLog {
  /** Longest value of a field, in characters. */
  private static final int LONGEST = 2_000;

  private final Consumer<String> sink;

  private final Clock wall;

  public JsonLog(Consumer<String> sink, Clock wall) {
    this.sink = sink;
    this.wall = wall;
  }

  public void info(String event, Object... fields) {
    write("info", event, fields);
  }

  public void warning(String event, Object... fields) {
    write("warning", event, fields);
  }

  public void error(String event, Throwable thrown, Object... fields) {
    Object[] more = Arrays.copyOf(fields, fields.length + 2);
    more[fields.length] = "error";
    more[fields.length + 1] = thrown.toString();
    write("error", event, more);
  }

  /** Fields are names and values by turns; a number is written as one. */
  private void write(String level, String event, Object... fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try {
      AnswerWriter.write(
          out,
          json -> {
            json.member("time", wall.instant().toString());
            json.member("level", level);
            json.member("event", event);
            for (int i = 0; i + 1 < fields.length; i += 2) {
              String name = (String) fields[i];
              if (fields[i + 1] instanceof Number number) {
                json.member(name, number.longValue());
              } else {
                json.member(name, shortened(String.valueOf(fields[i + 1])));
              }
            }
          });
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    sink.accept(out.toString(StandardCharsets.UTF_8));
  }

  /** The beginning of a text, without half of a pair of surrogates, which is no character. */
  private static String shortened(String text) {
    return text.length() <= LONGEST
        ? text
        : text.substring(0, text.offsetByCodePoints(LONGEST + 1, -1));
  }
}
