package io.lighthouse.api;

/** What a listener is subscribed by. Closing it twice does nothing. Thread-safe. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  /**
   * Ends the subscription: the listener is told of no call that begins after this one has returned.
   */
  @Override
  void close();
}
