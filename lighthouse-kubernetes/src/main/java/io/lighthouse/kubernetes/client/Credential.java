package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;

/**
 * What identifies the caller to the API server: a bearer token, a client certificate, both, or
 * neither. Immutable.
 *
 * @param token the bearer token; null for none
 * @param certificate the client certificate; null for none
 */
public record Credential(String token, ClientCertificate certificate) {
  /** Checks the token: a line end in it would end the header. */
  public Credential {
    if (token != null && (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 127))) {
      throw new InvalidInputException(
          "credential",
          "the token",
          "empty or not printable",
          "visible ASCII characters on one line");
    }
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "Credential[" + (token == null ? "no token" : "a token") + ", " + certificate + "]";
  }
}
