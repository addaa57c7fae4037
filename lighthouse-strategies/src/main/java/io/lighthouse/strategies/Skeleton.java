package io.lighthouse.strategies;

import com.google.auto.service.AutoService;

/** Stands here until the first strategy does; delete it then. */
@AutoService(Runnable.class)
public final class Skeleton implements Runnable {

  /** For the service loader. */
  public Skeleton() {}

  @Override
  public void run() {}
}
