package io.lighthouse.kubernetes.client;

import java.io.IOException;

/** Supplies the credential of each call, and renews it. Thread-safe. */
public interface Credentials {
  /**
   * The credential to use now.
   *
   * @param end until when to wait for it, in {@link System#nanoTime}
   * @throws IOException if there is none by then
   */
  Credential current(long end) throws IOException;

  /**
   * Reports that the server has refused a credential (401).
   *
   * @return whether another try makes sense: the next credential may be another one
   */
  boolean renew(Credential refused);
}
