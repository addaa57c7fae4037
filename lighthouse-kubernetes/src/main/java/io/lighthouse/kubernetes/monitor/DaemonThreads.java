package io.lighthouse.kubernetes.monitor;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.ThreadFactory;

/**
 * Makes daemon threads that do not end unseen: what a thread does not catch goes to the handler.
 * Thread-safe.
 *
 * @param name the name of each thread
 * @param crashed takes what a thread ends by
 */
public record DaemonThreads(String name, UncaughtExceptionHandler crashed)
    implements ThreadFactory {
  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(crashed);
    return thread;
  }
}
