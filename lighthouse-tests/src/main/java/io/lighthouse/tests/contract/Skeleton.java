package io.lighthouse.tests.contract;

/** Stands here until the first real class does; delete it then. */
public final class Skeleton {

  private Skeleton() {}
}
