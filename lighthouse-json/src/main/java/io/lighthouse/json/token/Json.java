package io.lighthouse.json.token;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.Limits;
import java.io.OutputStream;
import java.util.Collection;
import java.util.Optional;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** What all our JSON has in common. */
public final class Json {
  /** The most levels of objects and arrays that are written: a log puts one around them. */
  public static final int MOST_LEVELS = Limits.WRITTEN.depth() - 1;

  /** Reads what it has written, and writes nothing that is too deep to be read as part of a log. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Limits.WRITTEN.depth())
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(MOST_LEVELS).build())
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
          .build();

  private Json() {}

  /** A generator that leaves its target open; without a printer, all in one line. */
  public static JsonGenerator generator(OutputStream out, PrettyPrinter printer) {
    ObjectWriteContext context =
        new ObjectWriteContext.Base() {
          @Override
          public PrettyPrinter getPrettyPrinter() {
            return printer;
          }

          @Override
          public boolean hasPrettyPrinter() {
            return printer != null;
          }
        };
    return FACTORY.createGenerator(context, out, JsonEncoding.UTF8);
  }

  /**
   * The text of a member of an object that we have written ourselves, read no further than that.
   */
  public static Optional<String> member(byte[] object, String member) {
    try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), object)) {
      json.nextToken();
      for (String name = json.nextName(); name != null; name = json.nextName()) {
        json.nextToken();
        if (name.equals(member)) {
          return Optional.of(json.getString());
        }
        json.skipChildren();
      }
      return Optional.empty();
    }
  }

  /** A finite quantity as a number with all its digits, an infinite one as a string. */
  public static void quantity(JsonGenerator json, Quantity quantity) {
    if (quantity.isInfinite()) {
      json.writeString(quantity.toString());
    } else {
      json.writeNumber(quantity.toString());
    }
  }

  public static void quantity(JsonGenerator json, String member, Quantity quantity) {
    json.writeName(member);
    quantity(json, quantity);
  }

  public static void resources(JsonGenerator json, String member, Resources resources) {
    json.writeObjectPropertyStart(member);
    for (int i = 0; i < resources.size(); i++) {
      quantity(json, resources.name(i), resources.quantity(i));
    }
    json.writeEndObject();
  }

  public static void names(JsonGenerator json, String member, Collection<String> names) {
    json.writeArrayPropertyStart(member);
    for (String name : names) {
      json.writeString(name);
    }
    json.writeEndArray();
  }
}
