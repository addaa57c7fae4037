package io.lighthouse.json;

/** Stands here until the first real class does; delete it then. */
public final class Skeleton {

  private Skeleton() {}
}
