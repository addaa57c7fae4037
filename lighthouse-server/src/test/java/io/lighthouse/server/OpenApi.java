package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.harrel.jsonschema.Dialects;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/** Holds answers of the service against what /openapi.json promises of them. */
final class OpenApi {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final URI ID = URI.create("https://lighthouse.invalid/openapi.json");

  private static final JsonNode DOCUMENT = document();
  private static final Validator VALIDATOR = validator();

  private OpenApi() {}

  static JsonNode document() {
    try (InputStream in = PlacementService.class.getResourceAsStream("openapi.json")) {
      return JSON.readTree(in);
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }

  private static Validator validator() {
    Validator validator =
        new ValidatorFactory()
            .withDefaultDialect(new Dialects.Draft2020Dialect())
            .withJsonNodeFactory(new JacksonNode.Factory())
            .createValidator();
    validator.registerSchema(ID, DOCUMENT);
    return validator;
  }

  /** Fails unless the document promises this status, media type and body for this call. */
  static void check(String method, String path, int status, String mediaType, String body) {
    JsonNode responses =
        DOCUMENT.path("paths").path(path).path(method.toLowerCase(java.util.Locale.ROOT));
    assertThat(responses.isMissingNode()).as("%s %s is in the document", method, path).isFalse();
    JsonNode response = resolved(responses.path("responses").path(Integer.toString(status)));
    assertThat(response.isMissingNode())
        .as("%s %s may answer %s (%s)", method, path, status, body)
        .isFalse();
    String plain = mediaType.replaceFirst(";.*", "");
    JsonNode content = response.path("content").path(plain);
    assertThat(content.isMissingNode()).as("%s of %s %s", plain, method, path).isFalse();
    if (plain.endsWith("json")) {
      checkSchema(content.path("schema"), body);
    }
  }

  static void checkSchema(JsonNode schema, String body) {
    try {
      JsonNode value = JSON.readTree(body);
      String reference = schema.path("$ref").asText("");
      Validator.Result result =
          reference.isEmpty()
              ? new ValidatorFactory()
                  .withJsonNodeFactory(new JacksonNode.Factory())
                  .validate(schema, value)
              : VALIDATOR.validate(ID.resolve(reference), value);
      assertThat(result.getErrors())
          .as("faults of %s against %s", body, schema)
          .extracting(fault -> fault.getInstanceLocation() + " " + fault.getError())
          .isEmpty();
      assertThat(result.isValid()).isTrue();
    } catch (IOException noJson) {
      throw new AssertionError("no JSON: " + body, noJson);
    }
  }

  private static JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asText("");
    return reference.isEmpty() ? node : DOCUMENT.at(reference.substring(1));
  }
}
