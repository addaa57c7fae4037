/** The three documented strategies, each no longer than its idea. */
package io.lighthouse.strategies;
