/** Bitmaps and lists that are derived from the nodes: they leave nodes out and decide nothing. */
package io.lighthouse.core.index;
