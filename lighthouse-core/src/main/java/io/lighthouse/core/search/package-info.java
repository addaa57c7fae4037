/**
 * Finds the nodes that a query fits, by the index, the orders or a plain scan; explains what it
 * found.
 */
package io.lighthouse.core.search;
