package io.lighthouse.api;

import java.util.Objects;
import java.util.Optional;

/**
 * Why a gang was not placed: the attempt that placed most of its members, the first of equal ones.
 *
 * @param gang the name of the gang
 * @param members how many members it has in the batch
 * @param placed how many of them that attempt placed
 * @param domain the domain of that attempt; empty if the gang is not bound to a level, or no domain
 *     was tried
 * @param tried how many domains were tried; -1 if the gang is not bound to a level
 */
public record GangRefusal(
    String gang, int members, int placed, Optional<String> domain, int tried) {
  /** Checks. */
  public GangRefusal {
    Objects.requireNonNull(gang, "gang");
    Objects.requireNonNull(domain, "domain");
  }
}
