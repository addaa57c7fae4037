package io.lighthouse.kubernetes.client;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects as trees, without the books that the server keeps of who has set which field ({@code
 * metadata.managedFields}): a good part of each object, which nobody here reads.
 */
final class ObjectTrees {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ObjectTrees() {}

  /** The value that the parser is at; the parser is at its end afterwards. */
  static JsonNode read(JsonParser parser) {
    JsonToken token = parser.currentToken();
    return switch (token) {
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
      default -> parser.readValueAsTree();
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
}
