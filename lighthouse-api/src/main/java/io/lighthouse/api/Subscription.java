package io.lighthouse.api;

/** The subscription of a listener. Closing it again has no effect. Thread-safe. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  /**
   * Ends the subscription. The listener is not notified of calls that begin after this method has
   * returned.
   */
  @Override
  void close();
}
