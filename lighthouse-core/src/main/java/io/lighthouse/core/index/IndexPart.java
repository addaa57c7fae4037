package io.lighthouse.core.index;

/**
 * A part of the index. Each part leaves nodes out and decides nothing. So without it every answer
 * is the same, which a property shows by switching it off.
 */
public enum IndexPart {
  /** The bitmaps of amounts. */
  AMOUNTS,
  /** The bitmaps of names and of negative amounts. */
  NAMES,
  /** The lower bounds of earlier searches. */
  BOUNDS,
  /** The lists of nodes that have a rare resource. */
  RARE_NAMES,
  /** The kept orders in blocks. */
  KEPT_ORDERS,
  /** The ends of earlier searches in kept orders. */
  RUN_MEMO
}
