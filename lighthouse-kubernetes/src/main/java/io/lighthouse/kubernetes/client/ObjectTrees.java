package io.lighthouse.kubernetes.client;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.Map;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects as trees, without the record of which client has set which field ({@code
 * metadata.managedFields}): a good part of each object, and not used here. Read and written without
 * Jackson's mapper, which needs a tenth of a second of a young JVM to get ready.
 */
final class ObjectTrees {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonFactory TEXTS = new JsonFactory();

  private ObjectTrees() {}

  /** A parser that has not begun. It closes what it reads from. */
  static JsonParser parser(InputStream text) {
    return TEXTS.createParser(ObjectReadContext.empty(), text);
  }

  /** The value that a text holds, and nothing else; a missing one where it is empty. */
  static JsonNode read(InputStream text) {
    try (JsonParser parser = parser(text)) {
      JsonNode value = parser.nextToken() == null ? NODES.missingNode() : read(parser);
      if (parser.nextToken() != null) {
        throw new StreamReadException(parser, "more than one value");
      }
      return value;
    }
  }

  /** The value that the parser is at; the parser is at its end afterwards. */
  static JsonNode read(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(read(parser));
        }
        yield array;
      }
      case VALUE_STRING -> NODES.stringNode(parser.getString());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      case VALUE_NUMBER_INT ->
          switch (parser.getNumberType()) {
            case INT -> NODES.numberNode(parser.getIntValue());
            case LONG -> NODES.numberNode(parser.getLongValue());
            default -> NODES.numberNode(parser.getBigIntegerValue());
          };
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDecimalValue());
      default -> throw new IllegalStateException("no value: " + parser.currentToken());
    };
  }

  private static ObjectNode object(JsonParser parser) {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.START_ARRAY && name.equals("managedFields")) {
        parser.skipChildren();
      } else {
        object.set(name, read(parser));
      }
    }
    return object;
  }

  /** A tree as text. */
  static byte[] write(JsonNode tree) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator json =
        TEXTS.createGenerator(ObjectWriteContext.empty(), bytes, JsonEncoding.UTF8)) {
      write(tree, json);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonNode tree, JsonGenerator json) {
    switch (tree.getNodeType()) {
      case OBJECT -> {
        json.writeStartObject();
        for (Map.Entry<String, JsonNode> property : tree.properties()) {
          json.writeName(property.getKey());
          write(property.getValue(), json);
        }
        json.writeEndObject();
      }
      case ARRAY -> {
        json.writeStartArray();
        for (JsonNode value : tree) {
          write(value, json);
        }
        json.writeEndArray();
      }
      case STRING -> json.writeString(tree.stringValue());
      case BOOLEAN -> json.writeBoolean(tree.booleanValue());
      case NULL -> json.writeNull();
      case NUMBER -> json.writeNumber(tree.asString());
      default -> throw new IllegalArgumentException("not a tree of JSON: " + tree.getNodeType());
    }
  }
}
